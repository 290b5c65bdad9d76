export const en = {
  'printer.title': 'Printer'
} as const
