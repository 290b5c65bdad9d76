import sharp from 'sharp'
import t from 'tap'
import { analyse } from '../../../../plugins/health/analysis/index.js'
import { EMPTY_STATE } from '../../../../plugins/health/analysis/improved/analysis-state.js'
import { GLYPHS } from '../../../../plugins/health/pictures/font.data.js'
import { decodeImage } from '../../../../plugins/health/pictures/images.js'
import type { AssetName } from '../../../../plugins/health/pictures/names.js'
import { renderAll } from '../../../../plugins/health/pictures/render.js'
import { cut, text, textWidth } from '../../../../plugins/health/pictures/text.js'
import type { PictureContent } from '../../../../plugins/health/pictures/scene.js'
import { sparkline, trendSvg } from '../../../../plugins/health/trend-panel.js'
import { FACTORS, PROFILES, type Factors, type Profile, type Quality } from '../../../../plugins/health/types.js'
import { contextOf } from '../../../health/context.js'
import { uniform } from './helpers.js'

const factors = Object.fromEntries(FACTORS.map((name, at) => [name, at / 8])) as Factors

async function viewOf (jpeg: Buffer, profile: Profile, quality: Quality): Promise<PictureContent> {
  const context = contextOf({ jobName: '<script>&"ÄÖ漢' })
  const { memory: _memory, ...analysis } = analyse({
    profile,
    picture: await decodeImage(jpeg),
    context,
    memory: EMPTY_STATE,
    now: 0
  })
  return {
    profile,
    quality,
    context,
    analysis,
    status: { word: 'warning', reason: null, sight: 'blurred', health: 0.6, summary: '' },
    boxes: [{ left: 0.2, top: 0.5, right: 0.4, bottom: 2, score: 0.7, label: '<spaghetti>' }],
    success: 0.8,
    confidence: 0.9,
    factors,
    referenceAgeS: 61
  }
}

const SIZES: readonly [number, number, Quality, number, number][] = [
  [1280, 720, 'preview', 320, 180],
  [1680, 1080, 'standard', 560, 360],
  [1920, 1080, 'preview', 320, 180],
  [640, 480, 'full', 640, 480]
]

for (const [width, height, quality, tileWidth, tileHeight] of SIZES) {
  t.test(`every picture of a frame of ${width} by ${height}, ${quality}`, async t => {
    const jpeg = await uniform(90, 110, 70, width, height)
    for (const profile of PROFILES) {
      const assets = await renderAll({
        view: await viewOf(jpeg, profile, quality),
        jpeg,
        referenceJpeg: jpeg,
        thumbnail: await uniform(9),
        layout: Buffer.from('broken')
      })
      for (const [name, bytes] of Object.entries(assets) as [AssetName, Uint8Array | null][]) {
        if (name === 'project_layout_png') { t.equal(bytes, null, 'what cannot be read is none'); continue }
        const { width: wide, height: high, format, channels } = await sharp(bytes ?? Buffer.alloc(0)).metadata()
        const size = name === 'job_state_composite_jpg'
          ? [2 * tileWidth + 2, 32 + 3 * tileHeight + 4 + 120]
          : name === 'factors_radar_png'
            ? [220, 220]
            : name === 'health_panel_png' ? [2 * tileWidth + 2, 120] : name === 'project_thumbnail_png' ? [1280, 720] : [tileWidth, tileHeight]
        t.same([wide, high, format, channels], [...size, name.endsWith('_jpg') ? 'jpeg' : 'png', 3], `${profile} ${name}`)
      }
    }
  })
}

t.test('captions are there without any font', async t => {
  const drawing = (words: string) => Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="200" height="20">${text(2, 16, words, { size: 12, color: '#fff' })}</svg>`)
  const lit = async (words: string) =>
    (await sharp(drawing(words)).extractChannel('alpha').raw().toBuffer()).filter(value => value > 128).length
  for (const words of ['A', 'SCORE 0.123', 'é', '漢']) t.ok(await lit(words) > 15, `${words}: ${await lit(words)} pixels`)
  t.equal(await lit(' '), 0)
  t.notMatch(drawing('<script>&').toString(), /script>|<text/)
})

t.test('glyphs keep to their grid', async t => {
  for (const [letter, strokes] of Object.entries(GLYPHS)) {
    t.match(strokes, /^(([0-4][0-6])+( |$))*$/, `glyph ${letter}`)
  }
  t.equal(cut('a'.repeat(40), 27).length, 27)
  t.ok(textWidth('WIDE', 12) > textWidth('WI', 12))
})

t.test('a line over time has gaps where nothing is known', async t => {
  t.equal(sparkline([0, 1, null, 0.5], 1, 30, 12), 'M0.0 11.0L10.0 1.0M30.0 6.0')
  t.equal(trendSvg([]), undefined)
  const record = {
    ts: 1,
    success_pct: 0.9,
    confidence: null,
    hot_pct: 0,
    strand_score: 0.1,
    diff_score: null,
    remaining_min: 1,
    factors
  }
  t.match(trendSvg([record, record]), /Success.*90 %.*Confidence.*–/s)
})
