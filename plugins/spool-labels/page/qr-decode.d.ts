// What the page uses of the decoder, so that scripts are checked without its package.
declare module 'qr-decode' {
  export class BarcodeDetector {
    constructor (options: object)
    detect (source: unknown): Promise<readonly { rawValue: string }[]>
  }
}
