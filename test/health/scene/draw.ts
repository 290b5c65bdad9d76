import type { Pixel } from './camera.js'

/** Red, green, blue, 0 to 255. */
export type Rgb = readonly [number, number, number]

export const shade = ([red, green, blue]: Rgb, factor: number): string =>
  `rgb(${[red, green, blue].map(value => Math.round(Math.min(255, value * factor))).join(',')})`

const points = (pixels: readonly Pixel[]) => pixels.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')

export const polygon = (pixels: readonly Pixel[], fill: string, stroke = 'none', width = 1): string =>
  `<polygon points="${points(pixels)}" fill="${fill}" stroke="${stroke}" stroke-width="${width}"/>`

export const polyline = (pixels: readonly Pixel[], stroke: string, width: number): string =>
  `<polyline points="${points(pixels)}" fill="none" stroke="${stroke}" stroke-width="${width.toFixed(2)}" stroke-linejoin="round" stroke-linecap="round"/>`

export const circle = ([x, y]: Pixel, radius: number, fill: string): string =>
  `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${radius.toFixed(1)}" fill="${fill}"/>`

export const rectangle = (x: number, y: number, width: number, height: number, fill: string): string =>
  `<rect x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${width.toFixed(1)}" height="${height.toFixed(1)}" fill="${fill}"/>`
