/**
 * A picture that is drawn in pieces before it is shown.
 * @param {WebGL2RenderingContext} gl
 */
export function createHiddenPicture (gl) {
  const frame = gl.createFramebuffer()
  const color = gl.createRenderbuffer()
  const depth = gl.createRenderbuffer()
  let [width, height] = [0, 0]
  /** @param {WebGLRenderbuffer | null} buffer @param {number} format @param {number} place */
  function allocate (buffer, format, place) {
    gl.bindRenderbuffer(gl.RENDERBUFFER, buffer)
    gl.renderbufferStorage(gl.RENDERBUFFER, format, width, height)
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, place, gl.RENDERBUFFER, buffer)
  }
  return {
    /** What is drawn from here on becomes part of it. @param {number} wide px @param {number} high px */
    begin (wide, high) {
      gl.bindFramebuffer(gl.FRAMEBUFFER, frame)
      if (wide !== width || high !== height) {
        width = wide
        height = high
        allocate(color, gl.RGBA8, gl.COLOR_ATTACHMENT0)
        allocate(depth, gl.DEPTH_COMPONENT24, gl.DEPTH_ATTACHMENT)
      }
      gl.viewport(0, 0, width, height)
    },
    /** Copies it to the canvas, whose size is given; a larger picture is made smaller, which smooths its edges. */
    show (wide, high) {
      gl.bindFramebuffer(gl.READ_FRAMEBUFFER, frame)
      gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, null)
      gl.blitFramebuffer(0, 0, width, height, 0, 0, wide, high, gl.COLOR_BUFFER_BIT, gl.LINEAR)
      gl.bindFramebuffer(gl.FRAMEBUFFER, null)
    }
  }
}
