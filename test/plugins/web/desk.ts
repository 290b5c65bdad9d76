import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import type { VirtualPrinter } from '../../../plugins/emulator/index.js'
import type { Booted } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { browse, pageErrorsOf, type Browsing, type Look } from '../charts/chromium.js'
import { addressOf } from './boot.js'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** The page as somebody sits before it. */
export interface Desk {
  readonly page: Page
  readonly pageErrors: readonly string[]
}

/** Opens the page of an application in a browser that all tests of the file share. */
export function deskIn (file: Test): (t: Test, booted: Booted, look?: Look) => Promise<Desk> {
  let browser: Promise<Browsing> | undefined
  return async (t, booted, { width = 1440, height = 900, scheme = 'dark' } = {}) => {
    browser ??= browse(file)
    const page = await (await browser).context.newPage()
    t.teardown(() => page.close())
    const pageErrors = pageErrorsOf(page)
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme: scheme })
    await page.goto(addressOf(booted))
    await page.getByText('Live', { exact: true }).waitFor()
    return { page, pageErrors }
  }
}

/** Runs an expression in the page: the compiler knows nothing of documents here. */
export const read = <T>(page: Page, expression: string): Promise<T> => page.evaluate<T>(expression)

export const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
export const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true }).click()

/** Presses a button of the question that stands. */
export const answer = (page: Page, name: string) =>
  page.getByRole('alertdialog').getByRole('button', { name, exact: true }).click()

/** Shows one of the parts that share a place. */
export const openTab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).click()

export const jobIs = (page: Page, state: string) =>
  card(page, 'Job').getByRole('status').filter({ hasText: state }).waitFor()

/** Something that the page says at its foot. */
export const said = (page: Page, text: string | RegExp) => page.locator('.saying').filter({ hasText: text }).waitFor()

/** What a printer received of one command, without its number. */
export const received = ({ requests }: VirtualPrinter, command: string): object[] => requests
  .filter(request => request.command === command)
  .map(({ body: { sequence_id: _id, ...rest } }) => rest)

/** Waits until a printer has received so many of a command. @returns the last */
export async function receives (printer: VirtualPrinter, command: string, count = 1): Promise<object> {
  await eventually(() => received(printer, command).length >= count)
  return received(printer, command).at(-1) ?? {}
}

/** Opens a menu and presses a button in it. */
export async function choose (page: Page, menu: RegExp, name: string): Promise<void> {
  await page.getByLabel(menu).first().click()
  await page.locator('details.menu[open]').getByRole('button', { name, exact: true }).click()
}

/** A question appears, is refused, and leaves no trace; asked again, it is answered with yes. */
export async function asksFirst (t: Test, page: Page, act: () => Promise<void>, yes: string, done: () => number) {
  const before = done()
  await act()
  await answer(page, 'Cancel')
  await page.getByRole('alertdialog').waitFor({ state: 'detached' })
  await new Promise(resolve => setTimeout(resolve, 150))
  t.equal(done(), before, `${yes}: not before it is confirmed`)
  await act()
  await answer(page, yes)
  await eventually(() => done() > before)
}

interface Violation {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string }[]
}

/** What is wrong for people who cannot see or click well: serious and critical things only. */
export async function barriers (page: Page): Promise<string[]> {
  await read(page, await readFile(AXE, 'utf8') + ';0')
  const found = await read<Violation[]>(page, 'axe.run().then(({ violations }) => violations)')
  return found.filter(({ impact }) => ['serious', 'critical'].includes(impact))
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)
}
