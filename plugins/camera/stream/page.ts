import type { FastifyInstance } from 'fastify'
import type { Stream } from './stream.js'
import { fillPage, findPageFiles, readPageFile, servePageFiles, type PageFiles } from '../../http/index.js'

const NAME = 'camera'

let found: PageFiles | undefined
const pageFiles = () => (found ??= findPageFiles(NAME))
/** Seen from the page. */
const folder = () => `page-${pageFiles().mark}`

/** Files of its own and nothing else. */
export const PAGE_POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; " +
  "media-src 'self' blob:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'"

const page = (file: string, texts: Readonly<Record<string, string>>) =>
  fillPage(readPageFile(NAME, file), { ...texts, folder: folder() })

/** The live page; its script fills it. */
export const livePage = ({ session, source }: Stream): string =>
  page('live.html', { printer: session.name, video: source.video === undefined ? '' : 'yes' })

/** Opens the live page in a window of its own name, so that a second call finds the first window. */
export const portalPage = ({ session }: Stream): string => page('portal.html', { printer: session.name })

/** Serves what the pages load. */
export const servePageAssets = (app: FastifyInstance): void => servePageFiles(app, `/${folder()}`, pageFiles())
