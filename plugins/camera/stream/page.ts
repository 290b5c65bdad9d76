import type { FastifyRequest } from 'fastify'
import { fillPage, findPageFiles, preferencesOf, readPageFile, type Language, type PageFiles } from '../../../core/index.js'
import type { Stream } from './stream.js'
import { CONDITIONS, conditionTexts, JOB_CONDITIONS } from '../../state/index.js'
import { texts } from '../texts/index.js'

const NAME = 'camera'

let found: PageFiles | undefined
const pageFiles = () => (found ??= findPageFiles(NAME))
/** Relative to the page. */
const folder = () => `page-${pageFiles().mark}`

/** Only resources of this service. */
export const PAGE_POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; " +
  "media-src 'self' blob:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'"

type Headers = FastifyRequest['headers']

/** Words and colours that all pages share, by the state that printers report. */
function jobStatesIn (language: Language) {
  const states = { ...JOB_CONDITIONS, CANCELLED: 'cancelled', '': 'unknown' } as const
  return Object.fromEntries(Object.entries(states).map(([state, condition]) =>
    [state, { word: conditionTexts[language][`condition.${condition}`], tone: CONDITIONS[condition].tone }]))
}

function page (file: string, headers: Headers, printer: string, values: Readonly<Record<string, string>> = {}): string {
  const { language } = preferencesOf(headers)
  const said = Object.fromEntries(Object.entries(texts[language]).map(([key, text]) => [key, text.replaceAll('{printer}', printer)]))
  return fillPage(readPageFile(NAME, file), {
    ...said,
    ...values,
    printer,
    language,
    texts: JSON.stringify(texts[language]),
    looks: JSON.stringify(jobStatesIn(language)),
    folder: folder()
  })
}

/** The live page; its script fills it. */
export const livePage = ({ session, source }: Stream, headers: Headers): string =>
  page('live.html', headers, session.name, { video: source.video === undefined ? '' : 'yes' })

/** Opens the live page in a named window, so that a second call reuses it. */
export const portalPage = ({ session }: Stream, headers: Headers): string => page('portal.html', headers, session.name)

/** Files that the pages load, by the path prefix under which they are served. */
export const pageAssets = (): ReadonlyMap<string, PageFiles> => new Map([[`/${folder()}`, pageFiles()]])
