// Programs of the graphics card.

/**
 * Each line of filament is a strip that faces the eye, as wide as the line looks from there, and shaded as if it were
 * round: four corners. Points are read from a texture by the number of the corner. Instances would be simpler, but
 * graphics in software, and some of phones, draw each of them as slowly as a whole part.
 */
export const LINE_VERTEX = `#version 300 es
precision highp float;
precision highp usampler2D;
uniform usampler2D u_points;
uniform int u_first;
uniform mat4 u_camera;
uniform vec3 u_eye;
uniform vec3 u_light;
uniform vec3 u_palette[24];
uniform int u_mode;
uniform vec2 u_scale;
uniform float u_pixels;
uniform float u_kind;
uniform float u_widen;
uniform float u_tall;
uniform float u_thin;
out vec3 v_color;
out vec3 v_shade;

vec3 ramp(float value) {
  float at = clamp(value, 0.0, 1.0) * 5.0;
  int below = int(min(4.0, floor(at)));
  return mix(u_palette[below], u_palette[below + 1], at - float(below));
}

uvec4 point(int at) { return texelFetch(u_points, ivec2(at & 2047, at >> 11), 0); }

vec3 place(uvec4 p) { return vec3(p.x & 0xffffu, p.x >> 16, p.y & 0xffffu) / 100.0 - vec3(100.0, 100.0, 0.0); }

void main() {
  int index = u_first + (gl_VertexID >> 2);
  uvec4 end = point(index + 1);
  if (float((end.w >> 16) & 0xffu) != u_kind) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
  vec3 from = place(point(index));
  vec3 to = place(end);
  vec2 a_size = vec2((end.y >> 16) & 0xffu, end.y >> 24);
  bool isEnd = (gl_VertexID & 2) != 0;
  float across = float(gl_VertexID & 1) * 2.0 - 1.0;
  vec3 along = normalize(to - from);
  vec3 at = isEnd ? to : from;
  float tall = a_size.y / 100.0 * u_tall;
  float wide = u_kind > 1.5 ? u_thin : a_size.x / 50.0;
  at.z -= u_kind > 1.5 ? 0.0 : tall * 0.5;
  vec3 eye = normalize(u_eye - at);
  vec3 side = cross(along, eye);
  float bend = length(side);
  side = bend > 0.001 ? side / bend : vec3(1.0, 0.0, 0.0);
  vec3 level = vec3(along.y, -along.x, 0.0);
  float flat_ = length(level);
  level = flat_ > 0.001 ? level / flat_ : vec3(1.0, 0.0, 0.0);
  vec3 upright = cross(level, along);
  float half_ = 0.5 * length(vec2(wide * dot(side, level), (u_kind > 1.5 ? u_thin : tall) * dot(side, upright)));
  half_ = max(half_, u_thin * 0.5 * distance(u_eye, at) * 0.001) * u_widen;
  at += side * across * half_ + along * (isEnd ? 0.5 : -0.5) * (u_widen > 2.0 ? 0.0 : min(half_, 0.5 * wide));
  gl_Position = u_camera * vec4(at, 1.0);
  vec3 facing = normalize(cross(side, along));
  if (dot(facing, eye) < 0.0) facing = -facing;
  // Where a line is thinner than a pixel, its roundness would only flicker.
  float near = clamp(half_ * u_pixels / distance(u_eye, at) - 0.35, 0.0, 1.0);
  v_shade = vec3(across * near, dot(side, u_light), dot(facing, u_light));
  if (u_mode == 0) v_color = u_palette[int(end.z & 0xffu)];
  else if (u_mode == 1) v_color = u_palette[int((end.z >> 8) & 0xffu) % 24];
  else {
    float value = float(u_mode == 2 ? end.z >> 16 : u_mode == 3 ? end.w & 0xffffu : end.w >> 24);
    v_color = ramp((value - u_scale.x) / (u_scale.y - u_scale.x));
  }
}`

export const LINE_FRAGMENT = `#version 300 es
precision mediump float;
in vec3 v_color;
in vec3 v_shade;
uniform vec4 u_tint;
uniform float u_alpha;
uniform float u_glow;
out vec4 color;
void main() {
  float depth = sqrt(max(0.0, 1.0 - v_shade.x * v_shade.x));
  if (u_glow > 0.0) {
    float alpha = depth * depth * u_glow;
    color = vec4(u_tint.rgb * alpha, alpha * 0.6); // light on dark ground, a shade on a light one
    return;
  }
  float light = 0.46 + 0.6 * max(0.0, v_shade.x * v_shade.y + depth * v_shade.z);
  vec3 lit = mix(v_color, u_tint.rgb, u_tint.a) * light;
  color = vec4(lit * u_alpha, u_alpha);
}`

export const BED_VERTEX = `#version 300 es
precision highp float;
layout(location = 0) in vec2 a_at;
uniform mat4 u_camera;
out vec2 v_at;
void main() {
  v_at = a_at;
  gl_Position = u_camera * vec4(a_at, -0.02, 1.0);
}`

/** The bed with lines every 10 mm, stronger ones every 50 mm. */
export const BED_FRAGMENT = `#version 300 es
precision highp float;
in vec2 v_at;
uniform vec3 u_ground;
uniform vec3 u_lines;
uniform vec2 u_bed;
out vec4 color;
float grid(float every) {
  vec2 near = abs(fract(v_at / every - 0.5) - 0.5) * every / fwidth(v_at);
  return (1.0 - clamp(min(near.x, near.y), 0.0, 1.0)) * clamp(1.5 - max(fwidth(v_at).x, fwidth(v_at).y) * 4.0 / every, 0.0, 1.0);
}
void main() {
  vec2 rim = min(v_at, u_bed - v_at) / fwidth(v_at);
  float edge = 1.0 - clamp(min(rim.x, rim.y) - 0.8, 0.0, 1.0);
  float strength = max(max(grid(10.0) * 0.28, grid(50.0) * 0.6), edge);
  color = vec4(mix(u_ground, u_lines, strength), 1.0);
}`
