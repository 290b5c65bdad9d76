import type { en } from './en.data.js'

export const zh: Readonly<Record<keyof typeof en, string>> = {
  'printer.title': '打印机'
}
