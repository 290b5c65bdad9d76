import { number, t } from 'shell'

export { useEffect, useMemo, useRef, useState } from 'preact/hooks'
export { render } from 'preact'
export { html, Icon } from 'components'

/** Hours, minutes and seconds. @param {number} seconds */
export function duration (seconds) {
  const whole = Math.max(0, Math.round(seconds))
  if (whole < 60) return t('plate.seconds', { seconds: whole })
  const minutes = Math.round(whole / 60)
  if (minutes < 60) return t('plate.minutes', { minutes })
  return t('plate.hours', { hours: Math.floor(minutes / 60), minutes: minutes % 60 })
}

/** `1:05:09`. @param {number} seconds */
export function clockOf (seconds) {
  const whole = Math.max(0, Math.floor(seconds))
  const two = value => String(value).padStart(2, '0')
  return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`
}

export const mm = (value, digits = 2) => `${number(value, { maximumFractionDigits: digits })} mm`
export const grams = value => `${number(value, { maximumFractionDigits: value < 10 ? 2 : 1 })} g`
