import { build } from 'esbuild'
import { join } from 'node:path'
import type { FrameLocator, Page } from 'playwright-core'
import type { Test } from 'tap'
import type { Booted } from '../../../helpers/boot-features.js'
import { browse, type Look } from '../../charts/chromium.js'

const HOST = 'http://host.test/'
const APP = 'http://app.test/'

/** What a host adds to a page that names no other hosts. Source: MCP Apps, "Restrictive default". */
const POLICY = "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data:; media-src 'self' data:; object-src 'none'; connect-src 'none'"

interface Call { readonly name: string, readonly arguments: Record<string, unknown> }

export interface Shown {
  readonly page: Page
  readonly app: FrameLocator
  /** What the page complained of, and what it tried to load. */
  readonly pageErrors: readonly string[]
  /** Tools that it called. */
  readonly calls: readonly Call[]
  /** What it put into the conversation. */
  readonly messages: readonly string[]
  setTheme (theme: 'dark' | 'light'): Promise<void>
  /** Tells the page that it goes. */
  end (): Promise<void>
}

export interface ShowOptions extends Look {
  readonly tool: string
  readonly args: Record<string, unknown>
  /** Of the host. @default the colour scheme of the system */
  readonly theme?: 'dark' | 'light'
  readonly capabilities?: object
}

const bundle = async (): Promise<string> => {
  const { outputFiles: [file] } = await build({
    entryPoints: [join(import.meta.dirname, 'host-page.js')], bundle: true, write: false, format: 'iife', logLevel: 'error'
  })
  return file?.text ?? ''
}

/** Calls a tool as an agent would, and shows its page in a host, with the official other end of the line. */
export async function showApp (t: Test, { client }: Booted, { tool, args, ...options }: ShowOptions): Promise<Shown> {
  const { scheme = 'dark', theme = scheme, capabilities = { serverTools: {}, message: {} } } = options
  const uri = (await client.listTools()).tools.find(({ name }) => name === tool)?._meta?.ui as { resourceUri: string }
  const { contents: [content] } = await client.readResource({ uri: uri.resourceUri })
  const calls: Call[] = []
  const messages: string[] = []
  const { page, pageErrors, context } = await browse(t, options)
  const script = await bundle()
  await context.route(HOST, route => route.fulfill({
    contentType: 'text/html', body: `<!doctype html><meta charset="utf-8"><title>host</title><body><script>${script}</script></body>`
  }))
  await context.route(APP, route => route.fulfill({
    contentType: 'text/html', headers: { 'content-security-policy': POLICY }, body: (content as { text: string }).text
  }))
  await page.exposeFunction('callTool', async (call: Call) => {
    calls.push(call)
    return await client.callTool(call)
  })
  await page.exposeFunction('takeMessage', ({ content: [{ text }] }: { content: [{ text: string }] }) => {
    messages.push(text)
    return {}
  })
  await page.goto(HOST)
  const result = await client.callTool({ name: tool, arguments: args })
  const given = JSON.stringify({ address: APP, theme, input: args, result, capabilities })
  await page.evaluate(`openApp(${given})`)
  return {
    page,
    app: page.frameLocator('iframe'),
    pageErrors,
    calls,
    messages,
    setTheme: async theme => { await page.evaluate(`setTheme('${theme}')`) },
    end: async () => { await page.evaluate('endApp()') }
  }
}
