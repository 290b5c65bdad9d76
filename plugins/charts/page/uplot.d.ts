// What the page uses of uPlot, so that scripts are checked without its package.
declare module 'uplot' {
  export default class uPlot {
    constructor (options: object, data: readonly unknown[], place: HTMLElement)
    static join (tables: readonly unknown[]): unknown[]
    readonly over: HTMLElement
    readonly bbox: { left: number, top: number, width: number, height: number }
    readonly ctx: CanvasRenderingContext2D
    readonly cursor: { left?: number }
    setData (data: readonly unknown[]): void
    setSize (size: { width: number, height: number }): void
    setCursor (position: { left: number, top: number }): void
    posToVal (position: number, scale: string): number
    valToPos (value: number, scale: string, onCanvas?: boolean): number
    destroy (): void
  }
}
