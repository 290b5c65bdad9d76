import type { en } from './en.data.js'

export const de: Readonly<Record<keyof typeof en, string>> = {
  'printer.title': 'Drucker'
}
