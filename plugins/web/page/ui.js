import { html } from './lib.js'

/** @param {{ id: string, title: string, extra?: any, className?: string, children?: any }} props */
export const Card = ({ id, title, extra, className = '', children }) => html`
  <section class=${`card ${className}`} aria-labelledby=${`${id}-title`} id=${id}>
    <header><h2 id=${`${id}-title`}>${title}</h2>${extra}</header>
    ${children}
  </section>`

/**
 * A switch that shows the reported state, not the click.
 * @param {{ label: string, on: boolean, onChange: (on: boolean) => void, disabled?: boolean }} props
 */
export const Switch = ({ label, on, onChange, disabled = false }) => html`
  <label class="switch"><input type="checkbox" role="switch" checked=${on} disabled=${disabled}
    onClick=${event => { event.preventDefault(); onChange(!on) }} /><span>${label}</span></label>`
