import { html, Icon } from 'components'
import { t } from 'shell'

export { useEffect, useMemo, useRef, useState } from 'preact/hooks'
export { render } from 'preact'
export { html, Icon } from 'components'

/** @param {{ condition: string, looks: Record<string, { tone: string, icon: string }> }} props */
export const Badge = ({ condition, looks }) => html`<b class=${`badge ${looks[condition].tone}`}>
  <${Icon} name=${looks[condition].icon} />${t(`condition.${condition}`)}</b>`
