// Parser of a multipart stream.

// Part headers are short; image data is copied straight into a buffer of its length.
export const createParser = onPicture => {
  let head = ''
  let picture
  let filled = 0
  return piece => {
    let at = 0
    while (at < piece.length) {
      if (picture === undefined) {
        head += String.fromCharCode(piece[at++])
        if (head.length > 4000) throw new Error('this is no stream')
        if (!head.endsWith('\r\n\r\n')) continue
        const length = Number(/content-length: *(\d+)/i.exec(head)?.[1])
        if (!(length > 0 && length < 5e7)) throw new Error('this is no stream')
        head = ''
        picture = new Uint8Array(length)
        filled = 0
        continue
      }
      const part = piece.subarray(at, at + picture.length - filled)
      picture.set(part, filled)
      filled += part.length
      at += part.length
      if (filled === picture.length) {
        onPicture(picture)
        picture = undefined
      }
    }
  }
}
