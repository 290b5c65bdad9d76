// The few calculations with 4 × 4 matrices that a camera needs. Column by column. Pure.

/** @param {number} fov vertical, radians @param {number} aspect width by height */
export function perspective (fov, aspect, near, far) {
  const f = 1 / Math.tan(fov / 2)
  const deep = near - far
  return [f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / deep, -1, 0, 0, 2 * far * near / deep, 0]
}

const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
export const unit = a => {
  const length = Math.hypot(...a) || 1
  return a.map(value => value / length)
}

/** @param {number[]} eye @param {number[]} target @param {number[]} up not along the view */
export function lookAt (eye, target, up) {
  const z = unit(minus(eye, target))
  const x = unit(cross(up, z))
  const y = cross(z, x)
  return [x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0, -dot(x, eye), -dot(y, eye), -dot(z, eye), 1]
}

export function times (a, b) {
  const product = new Float32Array(16)
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      let sum = 0
      for (let at = 0; at < 4; at++) sum += a[at * 4 + row] * b[column * 4 + at]
      product[column * 4 + row] = sum
    }
  }
  return product
}

/** Where a point is seen: x and y from -1 to 1, and how far before the eye (below 0: behind it). */
export function projected (matrix, [x, y, z]) {
  const row = at => matrix[at] * x + matrix[4 + at] * y + matrix[8 + at] * z + matrix[12 + at]
  const w = row(3)
  return [row(0) / w, row(1) / w, w]
}
