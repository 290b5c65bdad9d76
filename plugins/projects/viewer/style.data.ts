export const PAGE_STYLE = `
:root { color-scheme: light dark; --ink: #1d1f23; --soft: #5b6068; --ground: #f4f5f7; --card: #fff; --line: #d8dbe0; --bed: #c9cdd4 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8eaed; --soft: #a4a9b2; --ground: #16181b; --card: #1f2226; --line: #34383e; --bed: #3a3e45 }
}
* { box-sizing: border-box }
body { margin: 0; font: 15px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--ground) }
header { position: sticky; top: 0; z-index: 1; padding: .6rem 1rem; display: flex; flex-wrap: wrap; gap: .3rem 1.5rem; align-items: baseline; background: var(--card); border-bottom: 1px solid var(--line) }
h1 { margin: 0; font-size: 1.15rem; overflow-wrap: anywhere }
h2 { margin: 0; font-size: 1.05rem; overflow-wrap: anywhere }
nav a { display: inline-block; min-width: 1.6rem; padding: .1rem .3rem; text-align: center; color: inherit; border: 1px solid var(--line); border-radius: .3rem; text-decoration: none }
main { max-width: 66rem; margin: 0 auto; padding: 1rem; display: grid; gap: 1rem }
.plate { padding: 1rem; background: var(--card); border: 1px solid var(--line); border-radius: .6rem; scroll-margin-top: 4rem }
.plate:target { border-color: #0a84c6; box-shadow: 0 0 0 2px #0a84c6 }
.facts { margin: .2rem 0; color: var(--soft) }
.pictures { display: flex; flex-wrap: wrap; gap: 1rem; margin: .7rem 0 }
figure { margin: 0; max-width: 300px }
figcaption { color: var(--soft); font-size: .85rem; text-align: center }
.stack { position: relative; width: 300px; max-width: 100%; aspect-ratio: 1; background: var(--bed); border-radius: .4rem; overflow: hidden }
.stack img, .stack svg { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: contain }
.none { width: 300px; max-width: 100%; aspect-ratio: 1; display: grid; place-items: center; color: var(--soft); border: 1px dashed var(--line); border-radius: .4rem }
ul { margin: .4rem 0 0; padding: 0; list-style: none; display: flex; flex-wrap: wrap; gap: .25rem 1rem }
li { overflow-wrap: anywhere }
small, code { color: var(--soft) }
.swatch { display: inline-block; width: .9em; height: .9em; margin-right: .4em; border: 1px solid var(--line); border-radius: .2em; vertical-align: -.1em }
@media print { header { position: static } .plate { break-inside: avoid } }
`
