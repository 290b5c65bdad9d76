export const en = {
  'charts.title': 'Charts',
  'charts.of': 'Charts of {printer}',
  'charts.printer': 'Printer',
  'charts.refresh': 'Refresh',
  'charts.loading': 'Loading …',
  'charts.updated': 'Updated {time}',
  'charts.late': 'Not updated: {reason}.',
  'charts.none': 'No printer is configured yet.'
} as const
