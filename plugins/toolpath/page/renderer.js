// Draws a plate with WebGL 2.

import { KIND, POINT_BYTES } from './pack-track.js'
import { BED_FRAGMENT, BED_VERTEX, LINE_FRAGMENT, LINE_VERTEX } from './shaders.js'

/** Colours of a palette in the shader. */
export const MOST_COLORS = 24
const CORNERS = 4

/** @param {WebGL2RenderingContext} gl */
function programOf (gl, vertex, fragment) {
  const program = /** @type {WebGLProgram} */ (gl.createProgram())
  for (const [type, source] of /** @type {const} */ ([[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]])) {
    const shader = /** @type {WebGLShader} */ (gl.createShader(type))
    gl.shaderSource(shader, source)
    gl.compileShader(shader)
    gl.attachShader(program, shader)
  }
  gl.linkProgram(program)
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
    throw new Error(gl.getProgramInfoLog(program) ?? 'the shaders fail')
  }
  const count = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS) ?? 0
  /** @type {Record<string, WebGLUniformLocation | null>} */
  const at = {}
  for (let index = 0; index < count; index++) {
    const name = gl.getActiveUniform(program, index)?.name.replace('[0]', '') ?? ''
    at[name] = gl.getUniformLocation(program, name)
  }
  return { program, at }
}

/** @param {WebGL2RenderingContext} gl */
function bufferOf (gl, data) {
  const buffer = gl.createBuffer()
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer)
  gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW)
  return buffer
}

/** Points in a row of a texture; the shader knows it too. */
const ROW = 2_048
/** Lines in a call: as many as the list of corners has. */
const MOST_LINES = 65_536

/** The corners of lines, two triangles each. @param {WebGL2RenderingContext} gl */
function bufferOfCorners (gl) {
  const corners = new Uint32Array(MOST_LINES * 6)
  for (let line = 0; line < MOST_LINES; line++) {
    corners.set([0, 1, 2, 2, 1, 3].map(corner => line * CORNERS + corner), line * 6)
  }
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer())
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, corners, gl.STATIC_DRAW)
}

/** Points as a texture: one is a pixel. @param {WebGL2RenderingContext} gl @param {ArrayBuffer} points */
function textureOf (gl, points) {
  const count = points.byteLength / POINT_BYTES
  const rows = Math.floor(count / ROW)
  const texture = gl.createTexture()
  gl.bindTexture(gl.TEXTURE_2D, texture)
  gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA32UI, ROW, rows + 1)
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST)
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST)
  const all = new Uint32Array(points)
  const put = (y, width, height, from) =>
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, y, width, height, gl.RGBA_INTEGER, gl.UNSIGNED_INT, all, from)
  if (rows > 0) put(0, ROW, rows, 0)
  if (count > rows * ROW) put(rows, count - rows * ROW, 1, rows * ROW * 4)
  return texture
}

/**
 * @typedef {object} Style of the lines that are drawn next
 * @property {number} [alpha] @property {number} [glow] above 0: light around them
 * @property {number[]} [tint] red, green, blue, share
 * @property {number} [widen] @property {number} [tall] factors of width and height
 * @property {number} [kind] of the points
 */

/**
 * @param {WebGL2RenderingContext} gl
 */
export function createRenderer (gl) {
  const line = programOf(gl, LINE_VERTEX, LINE_FRAGMENT)
  const bed = programOf(gl, BED_VERTEX, BED_FRAGMENT)
  const lines = gl.createVertexArray()
  gl.bindVertexArray(lines)
  bufferOfCorners(gl)
  const bedLines = gl.createVertexArray()
  let bedSize = [0, 0]
  /** @type {WebGLBuffer | null} */
  let bedBuffer = null

  return {
    /** @param {ArrayBuffer} points */
    upload: points => textureOf(gl, points),
    remove: texture => gl.deleteTexture(texture),
    /** @param {readonly number[]} size mm */
    setBed ([width, depth]) {
      bedSize = [width, depth]
      gl.deleteBuffer(bedBuffer)
      gl.bindVertexArray(bedLines)
      bedBuffer = bufferOf(gl, new Float32Array([0, 0, width, 0, 0, depth, width, depth]))
      gl.enableVertexAttribArray(0)
      gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0)
    },
    /** @param {{ matrix: Float32Array, eye: number[], light: number[] }} camera @param {any} colors */
    begin (camera, colors) {
      gl.enable(gl.DEPTH_TEST)
      gl.depthFunc(gl.LEQUAL)
      gl.depthMask(true)
      gl.disable(gl.BLEND)
      gl.clearColor(0, 0, 0, 0)
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
      gl.useProgram(bed.program)
      gl.uniformMatrix4fv(bed.at.u_camera, false, camera.matrix)
      gl.uniform3fv(bed.at.u_ground, colors.bed)
      gl.uniform3fv(bed.at.u_lines, colors.bedLines)
      gl.uniform2fv(bed.at.u_bed, bedSize)
      gl.bindVertexArray(bedLines)
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, CORNERS)
    },
    /** Before lines: camera and colours. @param {any} camera @param {any} colors */
    useLines (camera, { mode, least, most, palette }) {
      gl.useProgram(line.program)
      gl.bindVertexArray(lines)
      gl.uniformMatrix4fv(line.at.u_camera, false, camera.matrix)
      gl.uniform3fv(line.at.u_eye, camera.eye)
      gl.uniform3fv(line.at.u_light, camera.light)
      gl.uniform1f(line.at.u_pixels, camera.pixels)
      gl.uniform1i(line.at.u_mode, mode)
      gl.uniform2f(line.at.u_scale, least, most)
      gl.uniform3fv(line.at.u_palette, palette)
      this.style({})
    },
    /** @param {Style} style */
    style ({ alpha = 1, glow = 0, tint = [0, 0, 0, 0], widen = 1, tall = 1, kind = KIND.extrusion }) {
      gl.uniform1f(line.at.u_alpha, alpha)
      gl.uniform1f(line.at.u_glow, glow)
      gl.uniform4fv(line.at.u_tint, tint)
      gl.uniform1f(line.at.u_widen, widen)
      gl.uniform1f(line.at.u_tall, tall)
      gl.uniform1f(line.at.u_kind, kind)
      gl.uniform1f(line.at.u_thin, kind === KIND.travel ? 0.12 : 0)
      if (glow > 0 || alpha < 1) {
        gl.enable(gl.BLEND)
        gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA)
      } else gl.disable(gl.BLEND)
      gl.depthMask(glow === 0)
    },
    /** Whether what is drawn next changes only the depth, so that what is transparent shows its front alone. */
    depthOnly (isOn) { gl.colorMask(!isOn, !isOn, !isOn, !isOn) },
    /** @param {WebGLTexture} texture @param {number} first point @param {number} end behind the last */
    draw (texture, first, end) {
      gl.bindTexture(gl.TEXTURE_2D, texture)
      for (let at = first; at < end - 1; at += MOST_LINES) {
        gl.uniform1i(line.at.u_first, at)
        gl.drawElements(gl.TRIANGLES, Math.min(MOST_LINES, end - 1 - at) * 6, gl.UNSIGNED_INT, 0)
      }
    }
  }
}
