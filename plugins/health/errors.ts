import { defineError, NotConnected, type ServiceError } from '../../core/index.js'

export const AnalysisFailed = defineError<[detail: string]>('PRN_ERR_ANALYSIS_FAILED', '%s', 400)
export const NoFrames = defineError<[detail: string]>('PRN_ERR_NO_FRAMES', '%s', 400)
export const NoResult = defineError<[detail: string]>('PRN_ERR_NO_RESULT', '%s', 404)
export const NoImages = defineError<[detail: string]>('PRN_ERR_NO_IMAGES', '%s', 404)
export const AnalysisBusy = defineError('PRN_ERR_ANALYSIS_BUSY',
  'Too many analyses are asked for at once. Try again in a minute', 503)

/** Both the HTTP API and the tools answer these with a code as `error` and a sentence as `detail`. */
const coded = (error: ServiceError, word: string = error.slug): ServiceError =>
  error.with({ error: word, detail: error.message })

export const analysisFailed = (detail: string, cause?: unknown) => coded(new AnalysisFailed(detail, { cause }))
export const analysisBusy = () => coded(new AnalysisBusy())
export const streamFailed = (detail: string, cause?: unknown) => coded(new NoFrames(detail, { cause }), 'stream_failed')
export const noResult = (printer: string) =>
  coded(new NoResult(`No analysis of '${printer}' yet: the job monitor runs once a minute while a job is printing`))
export const noImages = (printer: string) => coded(new NoImages(
  `The last result of '${printer}' has no pictures: the printer was preparing, or the service has been restarted since`))
export const noAddress = (printer: string) =>
  new NotConnected(printer).with({ error: 'not_connected', detail: 'Printer hostname is not set' })
export const noState = (printer: string) => new NotConnected(printer).with({ error: 'not_connected' })
