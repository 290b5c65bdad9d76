import { DARK, LIGHT } from '../svg/palette.data.js'

/** Surfaces around the drawings. */
const DARK_PAGE = { ground: '#0d1117', line: '#30363d', ...DARK }
const LIGHT_PAGE = { ground: '#f6f8fa', line: '#d0d7de', ...LIGHT }

const variables = (palette: Readonly<Record<keyof typeof DARK_PAGE, string>>) =>
  `--ground:${palette.ground};--panel:${palette.panel};--line:${palette.line};--ink:${palette.ink};` +
  `--muted:${palette.muted};--accent:${palette.s2};--warn:${palette.warn}`

/** Style sheet of the dashboard page. */
export const PAGE_STYLE = `
:root{color-scheme:dark;${variables(DARK_PAGE)}}
@media(prefers-color-scheme:light){:root{color-scheme:light;${variables(LIGHT_PAGE)}}}
:root[data-theme=dark]{color-scheme:dark;${variables(DARK_PAGE)}}
:root[data-theme=light]{color-scheme:light;${variables(LIGHT_PAGE)}}
*{box-sizing:border-box}
body{margin:0;padding:1rem;background:var(--ground);color:var(--ink);font:1rem/1.4 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}
header,main{max-width:104rem;margin-inline:auto}
header{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem 1rem;margin-bottom:1rem}
h1{margin:0;font-size:1.3rem;overflow-wrap:anywhere}
.status{margin:0;color:var(--muted);flex:1 1 14rem;font-variant-numeric:tabular-nums}
.status.late{color:var(--warn)}
.tools{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem .75rem;min-width:0;max-width:100%}
form{display:flex;gap:.5rem;margin:0;min-width:0}
label{display:inline-flex;align-items:center;gap:.4rem;min-width:0;color:var(--muted)}
select,button{font:inherit;color:var(--ink);background:var(--panel);border:1px solid var(--line);border-radius:.4rem;padding:.25rem .6rem;min-height:2.25rem;min-width:0;max-width:14rem}
button{cursor:pointer}
button:hover,select:hover{border-color:var(--accent)}
main{display:grid;grid-template-columns:minmax(0,1fr);gap:1rem}
@media(min-width:44rem){main{grid-template-columns:repeat(2,minmax(0,1fr))}}
@media(min-width:70rem){main{grid-template-columns:repeat(3,minmax(0,1fr))}}
.panel{margin:0;padding:.5rem;background:var(--panel);border:1px solid var(--line);border-radius:.6rem;min-width:0}
.panel svg{display:block;width:100%;height:auto}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.unseen{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
a{color:var(--accent)}
[hidden]{display:none!important}
@media(max-width:30rem){
  body{padding:.5rem}header{margin-bottom:.75rem}
  .tools,form{flex:1 1 100%}form label{flex:1}form select{flex:1;max-width:none}
  main{gap:.5rem}.panel{padding:.25rem}
}
@media print{:root{color-scheme:light;${variables(LIGHT_PAGE)}}.tools{display:none}.panel{break-inside:avoid}}
`.trim()
