import type { Assets } from './assets.js'

/** Everything the plugin serves beside the page itself lies here. */
export const PREFIX = '/plugins/web'

/** Seen from the page, so that it may also lie below a path of a proxy. */
const folderOf = ({ mark }: Assets) => `${PREFIX.slice(1)}/${mark}`

const ICON = 'data:image/svg+xml,' + encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">' +
  '<path d="M2 2h12v3H9.5v2L8 9 6.5 7V5H2z" fill="#1f8fe0"/><path d="M3 12h10v2H3z" fill="#3fb27f"/></svg>')

/** The document that loads the page's modules. */
export function documentOf (assets: Assets): string {
  const folder = folderOf(assets)
  const styles = assets.files.filter(({ name }) => name.endsWith('.css') && name !== 'panel.css')
  const modules = assets.files.filter(({ name }) => name.endsWith('.js') && name !== 'main.js')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#f3f5f8">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0d1218">
<title>prn</title>
<link rel="icon" href="${ICON}">
${styles.map(({ name }) => `<link rel="stylesheet" href="${folder}/${name}">`).join('\n')}
${modules.map(({ name }) => `<link rel="modulepreload" href="${folder}/${name}">`).join('\n')}
<script type="module" src="${folder}/main.js"></script>
</head>
<body>
<div id="app"><p class="boot">Loading …</p></div>
<noscript><p class="boot">This page needs JavaScript. Without it there are the <a href="api/charts">charts</a>.</p></noscript>
</body>
</html>
`
}

const PLAIN_HOST = /^[a-z0-9.-]+$/

/**
 * What the page may load: its own files and data, and the camera stream, which has another port of this host.
 * @param host name by which the page was asked for
 */
export function policyFor (host: string): string {
  const streams = PLAIN_HOST.test(host) ? ` http://${host}:*` : '' // a policy cannot name an IPv6 address
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data: blob:${streams}`,
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'"
  ].join('; ')
}
