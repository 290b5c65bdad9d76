const svg = (defs: string, shapes: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1280 720" preserveAspectRatio="none"><defs>${defs}</defs>${shapes}</svg>`

const fade = (id: string, from: string, to: string, x2 = 0, y2 = 1): string =>
  `<linearGradient id="${id}" x1="0" y1="0" x2="${x2}" y2="${y2}"><stop offset="0" stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient>`

const glow = (id: string, colour: string, cx: number, cy: number, r: number): string =>
  `<radialGradient id="${id}" gradientUnits="userSpaceOnUse" cx="${cx}" cy="${cy}" r="${r}"><stop offset="0" stop-color="${colour}" stop-opacity="0.75"/><stop offset="1" stop-color="${colour}" stop-opacity="0"/></radialGradient>`

const rod = (x1: number, y1: number, x2: number, y2: number, width: number): string =>
  `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="#4d5054" stroke-width="${width + 4}"/><line x1="${x1}" y1="${y1 - 2}" x2="${x2}" y2="${y2 - 2}" stroke="#9a9ea3" stroke-width="${width / 2}"/>`

const screw = (x: number, top: number, bottom: number): string =>
  `<rect x="${x}" y="${top}" width="14" height="${bottom - top}" fill="url(#steel)"/>`

const STEEL = fade('steel', '#5c6066', '#8d9197', 1, 0)

/** A closed chamber seen from a front corner. */
export const ENCLOSED_BACKDROP = svg(
  STEEL + fade('left', '#4a4d52', '#26282b') + fade('right', '#3c3f43', '#1f2124') +
  fade('floor', '#17181a', '#0c0d0e') + glow('lamp', '#eef4ff', 60, 150, 620),
  '<rect width="1280" height="720" fill="#141517"/>' +
  '<polygon points="0,0 512,0 512,470 0,650" fill="url(#left)"/>' +
  '<polygon points="512,0 1280,0 1280,600 512,470" fill="url(#right)"/>' +
  '<polygon points="0,650 512,470 1280,600 1280,720 0,720" fill="url(#floor)"/>' +
  '<polygon points="560,250 780,262 780,380 560,352" fill="#2b2d31" stroke="#45484d" stroke-width="3"/>' +
  '<polygon points="860,290 1180,318 1180,352 860,320" fill="#232528"/>' +
  '<polygon points="870,362 1190,394 1190,424 870,390" fill="#232528"/>' +
  screw(492, 120, 470) + screw(1108, 180, 590) + screw(96, 190, 640) +
  rod(0, 118, 512, 92, 12) + rod(512, 92, 1280, 132, 12) +
  rod(0, 168, 1280, 186, 16) +
  '<rect x="6" y="110" width="22" height="150" rx="8" fill="#fdfdf4"/>' +
  '<rect width="1280" height="720" fill="url(#lamp)"/>')

/** A wide closed chamber seen from above its plate. */
export const HIGH_BACKDROP = svg(
  STEEL + fade('left', '#55585c', '#303236') + fade('right', '#4b4e52', '#26282b') +
  fade('floor', '#191a1c', '#0d0e0f') + glow('lamp', '#fff6e6', 1180, 40, 760) + glow('second', '#eef4ff', 40, 60, 420),
  '<rect width="1280" height="720" fill="#111214"/>' +
  '<polygon points="0,0 627,0 627,190 0,300" fill="url(#left)"/>' +
  '<polygon points="627,0 1280,0 1280,330 627,190" fill="url(#right)"/>' +
  '<polygon points="0,300 627,190 1280,330 1280,720 0,720" fill="url(#floor)"/>' +
  '<polygon points="700,40 980,64 980,150 700,120" fill="#2d2f33" stroke="#54575c" stroke-width="3"/>' +
  screw(606, 0, 190) + screw(1190, 0, 310) + screw(30, 0, 290) +
  rod(0, 60, 1280, 34, 18) +
  '<rect x="1150" y="8" width="110" height="16" rx="6" fill="#fffdf4"/>' +
  '<rect width="1280" height="720" fill="url(#lamp)"/><rect width="1280" height="720" fill="url(#second)"/>')

/** An open frame on a desk, seen from its front. */
export const OPEN_BACKDROP = svg(
  STEEL + fade('wall', '#9c968d', '#7b756d') + fade('desk', '#6b5440', '#4b3a2c') +
  fade('base', '#d8d9d6', '#a5a6a4') + glow('lamp', '#fffaf0', 200, 120, 700),
  '<rect width="1280" height="480" fill="url(#wall)"/>' +
  '<rect x="930" y="60" width="250" height="190" fill="#b8c4c9" stroke="#8a8379" stroke-width="10"/>' +
  '<polygon points="0,430 1280,430 1280,720 0,720" fill="url(#desk)"/>' +
  '<polygon points="150,330 1130,330 1220,690 60,690" fill="url(#base)"/>' +
  '<polygon points="560,330 720,330 760,690 520,690" fill="#3b3d40"/>' +
  '<rect x="96" y="0" width="58" height="470" fill="#c9cac8"/><rect x="1126" y="0" width="58" height="470" fill="#c9cac8"/>' +
  screw(118, 0, 470) + screw(1148, 0, 470) +
  '<rect width="1280" height="720" fill="url(#lamp)"/>')
