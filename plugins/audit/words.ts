import { errorCatalogue, type AnyOperation, type Kernel, type Language } from '../../core/index.js'
import { OPERATION_WORDS, type Words } from './operation-words.data.js'
import type { AuditRow } from './tables.js'

/** Outcome of an act that was begun and has not ended. */
export const BEGUN = 'begun'

const FAILED: Words = { en: 'failed', de: 'fehlgeschlagen', zh: '失败' }
const NOT_ALLOWED: Words = { en: 'not allowed', de: 'nicht erlaubt', zh: '无权限' }
const WRONG_INPUT: Words = { en: 'wrong input', de: 'falsche Angabe', zh: '输入有误' }
const NOT_POSSIBLE: Words = { en: 'not possible', de: 'nicht möglich', zh: '无法执行' }
const NOT_AVAILABLE: Words = { en: 'not available', de: 'nicht verfügbar', zh: '不可用' }
const REFUSED: Words = { en: 'refused by the printer', de: 'vom Drucker abgelehnt', zh: '被打印机拒绝' }
const BUSY: Words = { en: 'printer is busy', de: 'Drucker ist beschäftigt', zh: '打印机忙碌' }

/** Outcomes with words of their own. */
const OUTCOMES: Readonly<Record<string, Words>> = {
  done: { en: 'done', de: 'geschehen', zh: '完成' },
  [BEGUN]: { en: 'begun, end unknown', de: 'begonnen, Ende unbekannt', zh: '已开始，结果未知' },
  failed: FAILED,
  refused: { en: 'refused', de: 'abgelehnt', zh: '被拒绝' },
  PRN_ERR_NOT_CONNECTED: { en: 'printer offline', de: 'Drucker nicht verbunden', zh: '打印机未连接' },
  PRN_ERR_UNSUPPORTED: { en: 'the printer cannot do it', de: 'kann der Drucker nicht', zh: '打印机不支持' },
  PRN_ERR_REFUSED: REFUSED,
  PRN_ERR_SIGNATURE_REQUIRED: REFUSED,
  PRN_ERR_PRINTER_BUSY: BUSY,
  PRN_ERR_JOB_ACTIVE: BUSY,
  PRN_ERR_PRINTER_CLAIMED: BUSY
}

/** What an error says by its status. */
const BY_STATUS: Readonly<Record<number, Words>> = {
  400: WRONG_INPUT,
  401: NOT_ALLOWED,
  403: NOT_ALLOWED,
  404: { en: 'not found', de: 'nicht gefunden', zh: '未找到' },
  409: NOT_POSSIBLE,
  413: WRONG_INPUT,
  415: WRONG_INPUT,
  422: NOT_POSSIBLE,
  429: NOT_AVAILABLE,
  503: NOT_AVAILABLE,
  504: { en: 'no answer', de: 'keine Antwort', zh: '无应答' }
}

const own = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined

/** What an operation does, as an instruction; its summary where there are no words. */
export const operationInWords = ({ name, summary }: Pick<AnyOperation, 'name' | 'summary'>, lang: Language): string =>
  own(OPERATION_WORDS, name)?.[lang] ?? summary

/** Words for entries of the log: what was done, and what came of it. */
export function entryWording ({ operations }: Pick<Kernel, 'operations'>, lang: Language) {
  const statuses = new Map<string, number>(errorCatalogue().map(({ code, statusCode }) => [code, statusCode]))
  return ({ act, outcome }: Pick<AuditRow, 'act' | 'outcome'>): { words: string, outcome_words: string } => ({
    words: operationInWords({ name: act, summary: operations.get(act)?.summary ?? act }, lang),
    outcome_words: (own(OUTCOMES, outcome) ?? BY_STATUS[statuses.get(outcome) ?? 0] ?? FAILED)[lang]
  })
}
