// What moves through the layers: sliders, and play by time.

import { number, t } from 'shell'
import { clockOf, duration, html, Icon, mm } from './lib.js'

export const RATES = [1, 10, 60, 300, 1200]

const Slider = ({ label, value, min, max, text, onInput }) => html`<label class="slider"><span>${label}</span>
  <input type="range" min=${min} max=${max} step="1" value=${value} aria-valuetext=${text}
    onInput=${event => onInput(Number(event.currentTarget.value))} /><output>${text}</output></label>`

/** @param {{ layers: any[], first: number, last: number, onRange: (first: number, last: number) => void }} props */
export function LayerSliders ({ layers, first, last, onRange }) {
  const total = layers.length
  const text = layer => t('plate.layer_at', { layer: number(layer), height: mm(layers[layer - 1]?.z_mm ?? 0) })
  return html`<div class="sliders">
    <${Slider} label=${t('plate.up_to')} value=${last} min="1" max=${total} text=${text(last)}
      onInput=${value => onRange(Math.min(first, value), value)} />
    <${Slider} label=${t('plate.from')} value=${first} min="1" max=${total} text=${text(first)}
      onInput=${value => onRange(value, Math.max(last, value))} />
  </div>`
}

/**
 * @param {{ seconds: number, at: number, isPlaying: boolean, rate: number, onPlay: () => void,
 *   onSeek: (seconds: number) => void, onRate: (rate: number) => void }} props
 */
export const Player = ({ seconds, at, isPlaying, rate, onPlay, onSeek, onRate }) => html`<div class="player">
  <button type="button" class="icon-only" aria-label=${t(isPlaying ? 'plate.pause' : 'plate.play')} onClick=${onPlay}>
    <${Icon} name=${isPlaying ? 'pause' : 'play'} /></button>
  <input type="range" min="0" max=${Math.ceil(seconds)} step="any" value=${at} aria-label=${t('plate.time')}
    aria-valuetext=${t('plate.time.of', { time: duration(at), total: duration(seconds) })}
    onInput=${event => onSeek(Number(event.currentTarget.value))} />
  <output>${clockOf(at)} / ${clockOf(seconds)}</output>
  <label class="rate"><span class="hidden">${t('plate.rate')}</span><select value=${rate} onChange=${event => onRate(Number(event.currentTarget.value))}>
    ${RATES.map(one => html`<option key=${one} value=${one}>× ${number(one)}</option>`)}</select></label>
</div>`
