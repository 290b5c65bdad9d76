import type { Browser, BrowserContext, Page } from 'playwright-core'
import root, { type Test } from 'tap'
import { findProgram } from '../../helpers/programs.js'

/** The shell is the same browser without what surrounds its pages, and takes half the time. */
const program = findProgram('chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome')

/** Why tests in a browser cannot run here; false where they can. */
export const noBrowser: string | false =
  program === undefined ? 'chromium is not installed (Debian package chromium)' : false

const QUIET = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync'
]

/** WebGL without a graphics card. */
const GRAPHICS = [...QUIET.filter(option => option !== '--disable-gpu'), '--use-angle=swiftshader', '--enable-unsafe-swiftshader']

/** A page that draws video without a graphics card answers a click late. */
const WITHIN_MS = 60_000

/** Without a host. */
const LOCAL = new Set(['file:', 'data:', 'blob:', 'about:', 'chrome-extension:'])
/** Names that the network never has are those of a test that answers itself. */
const OURS = /^(([a-z]+\.)?[a-z]+\.test|127\.\d+\.\d+\.\d+|localhost|\[::1\])$/

export interface Look {
  readonly width?: number
  readonly height?: number
  readonly scheme?: 'dark' | 'light'
  /** For pages that draw with WebGL, which the quiet browser lacks. */
  readonly hasGraphics?: boolean
  /** For what the service worker does: without it every request is the page's own. */
  readonly hasWorker?: boolean
}

export interface Browsing {
  readonly page: Page
  /** What the page complained of: console errors, exceptions, requests that failed. */
  readonly pageErrors: readonly string[]
  readonly context: BrowserContext
}

const running = new Map<readonly string[], Promise<Browser>>()

async function launch (args: readonly string[]): Promise<Browser> {
  const { chromium } = await import('playwright-core')
  return await chromium.launch({ executablePath: program ?? '', headless: true, args: [...args] })
}

/** One for all tests of a file. */
function browser (args: readonly string[]): Promise<Browser> {
  const known = running.get(args)
  if (known) return known
  const begun = launch(args)
  running.set(args, begun)
  root.teardown(async () => {
    running.delete(args)
    await (await begun).close()
  })
  return begun
}

/** A page that shares nothing with those of other tests, and ends with the test. */
export async function browse (t: Test, look: Look = {}): Promise<Browsing> {
  const { width = 1200, height = 900, scheme = 'dark', hasGraphics = false, hasWorker = false } = look
  const own = await browser(hasGraphics ? GRAPHICS : QUIET)
  // Colours are compared and places measured, and neither may be on the way to another.
  const context = await own.newContext({
    viewport: { width, height }, colorScheme: scheme, reducedMotion: 'reduce', serviceWorkers: hasWorker ? 'allow' : 'block'
  })
  context.setDefaultTimeout(WITHIN_MS) // four of these share two cores with everything else
  const foreign: string[] = []
  context.on('request', request => {
    const { protocol, hostname } = new URL(request.url())
    if (!LOCAL.has(protocol) && !OURS.test(hostname)) foreign.push(request.url())
  })
  t.teardown(async () => {
    await context.close()
    if (foreign.length > 0) throw new Error(`pages asked other hosts: ${foreign.join(', ')}`)
  })
  const page = await context.newPage()
  return { page, pageErrors: pageErrorsOf(page), context }
}

/** Listens to what a page complains of from now on. */
export function pageErrorsOf (page: Page): readonly string[] {
  const pageErrors: string[] = []
  page.on('console', message => { if (message.type() === 'error') pageErrors.push(message.text()) })
  page.on('pageerror', error => pageErrors.push(error.message))
  page.on('requestfailed', request => {
    // A page gives up what it does not need any more: that is no fault.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') pageErrors.push(request.url())
  })
  return pageErrors
}
