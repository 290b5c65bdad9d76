/** The file of one plate, wherever it lies: bytes as they are in an archive, or plain text. */
export interface PlateSource {
  readonly isDeflated: boolean
  /** Bytes of the text. */
  readonly size: number
  /** Bytes that hold it. */
  readonly packedSize: number
  /** Checksum of the text as the archive states it, in small hexadecimal digits. */
  readonly md5: string | undefined
  /** Settings that the archive states beside the text. */
  readonly settings: Readonly<Record<string, string>>
  /** Nozzle by tool, from 0, as the archive has it for this plate; undefined if it has none. */
  readonly nozzleByTool: readonly number[] | undefined
  /** Bytes `start` to `start + length` of those that hold it; fewer only at the end. */
  read (start: number, length: number): Promise<Uint8Array>
}
