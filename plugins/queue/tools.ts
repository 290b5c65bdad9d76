import { Type } from 'typebox'
import { pagesOf, tool } from '../../core/index.js'
import { listFiles } from './operations/files.js'
import { addGroup, changeGroup, readGroups, removeGroup } from './operations/groups.js'
import { listQueue, MOST_LISTED, queueJob, readJob, updateJob } from './operations/jobs.js'
import { releasePrinter, setFailureLimit } from './operations/failures.js'
import { confirmPlateClear, pauseQueue } from './operations/printers.js'
import { readWarming, setWarming } from './operations/warming.js'
import { FileView, JobView, PrinterRow, QueueView } from './schemas.js'

const text = Type.String()

type Explained = Pick<JobView, 'reason' | 'why' | 'printers'>
const inShort = (printers: Explained['printers']) => printers.map(({ printer, reason }) => ({ printer, reason }))

/** In a large farm a job lists only the first printers; `explain_waiting` lists all. */
const MOST_PRINTERS = 8

/** Agents read text: fields meant for programs are left out. */
function inWords<T extends Explained> ({ why: _, printers, ...rest }: T) {
  const more = printers.length - MOST_PRINTERS
  return { ...rest, printers: inShort(printers.slice(0, MOST_PRINTERS)), ...(more > 0 && { more_printers: more }) }
}

const Reasons = Type.Array(Type.Object({ printer: text, reason: text }), { description: 'What keeps each printer from the next copy' })
const { why: _jobWhy, ...job } = JobView.properties
const Told = Type.Object({
  ...job, printers: Reasons, more_printers: Type.Optional(Type.Integer({ description: 'Of which explain_waiting tells' }))
})
const { why: _printerWhy, failures: _failures, ...printerRow } = PrinterRow.properties
const ToldPrinter = Type.Object({
  ...printerRow, stopped_at: Type.Optional(Type.Integer({ description: 'Held after failed prints since then' }))
})

const printerInWords = ({ why: _, failures: { stopped_at: at }, ...printer }: PrinterRow) =>
  ({ ...printer, ...(at !== null && { stopped_at: at }) })

export default [
  tool(listQueue, {
    name: 'list_queue',
    onRequest: true,
    description: 'Queued jobs, why they wait, and printers',
    errors: 'coded',
    pages: pagesOf('jobs', 'printers'),
    params: Type.Object({
      limit: Type.Optional(Type.Integer({ description: 'Most jobs' })),
      from: Type.Optional(Type.Integer({ minimum: 0, description: 'Jobs to skip, for `more`' }))
    }),
    input: ({ limit = MOST_LISTED, from = 0 }) => ({ limit, from }),
    answer: Type.Object({
      ...QueueView.properties, jobs: Type.Array(Told), printers: Type.Array(ToldPrinter)
    }),
    result: ({ jobs, printers, ...rest }) =>
      ({ ...rest, jobs: jobs.map(inWords), printers: printers.map(printerInWords) })
  }),
  tool(queueJob, {
    name: 'queue_job',
    onRequest: true,
    description: 'Queue a sliced file of library or uploads, or a path on the card of a printer',
    errors: 'coded',
    idempotent: false,
    params: Type.Object({
      file: text,
      card: Type.Optional(text),
      plate: Type.Optional(Type.Integer()),
      copies: Type.Optional(Type.Integer())
    }),
    input: params => params,
    answer: Told,
    result: inWords
  }),
  tool(updateJob, {
    name: 'update_job',
    onRequest: true,
    description: 'Change a queued job. act: cancel, retry, hold, release; before: id, first, last',
    errors: 'coded',
    params: Type.Object({ id: text, act: Type.Optional(text), before: Type.Optional(text) }),
    input: params => params as { id: string },
    answer: Told,
    result: inWords
  }),
  tool(updateJob, {
    name: 'cancel_job',
    onRequest: true,
    description: 'Start no further copy; what is printed goes on',
    errors: 'coded',
    params: Type.Object({ id: text }),
    input: ({ id }) => ({ id, act: 'cancel' as const }),
    answer: Told,
    result: inWords
  }),
  tool(readJob, {
    name: 'explain_waiting',
    onRequest: true,
    description: 'Why a queued job waits, printer by printer',
    errors: 'coded',
    params: Type.Object({ id: text }),
    input: params => params,
    pages: 'printers',
    answer: Type.Object({ ...Type.Pick(JobView, ['id', 'name', 'state', 'reason', 'waiting']).properties, printers: Reasons }),
    result: ({ id, name, state, reason, waiting, printers }) =>
      ({ id, name, state, reason, waiting, printers: inShort(printers) })
  }),
  tool(pauseQueue, {
    name: 'pause_queue',
    onRequest: true,
    description: 'Keep the queue, a group or a printer (of) from starting jobs, or let it go on',
    errors: 'coded',
    params: Type.Object({ paused: Type.Boolean(), of: Type.Optional(text) }),
    input: params => params
  }),
  tool(listFiles, {
    name: 'list_sliced_files',
    onRequest: true,
    description: 'Sliced files that can be queued',
    errors: 'coded',
    pages: 'files',
    answer: Type.Object({ files: Type.Array(Type.Pick(FileView, ['id', 'name', 'size', 'is_present'])) }),
    result: ({ files }) => ({
      files: files.map(({ id, name, size, is_present: isPresent }) => ({ id, name, size, is_present: isPresent }))
    })
  }),
  tool(confirmPlateClear, {
    name: 'confirm_plate_clear',
    onRequest: true,
    description: 'The plate is empty: the queue may print. seen: as in list_queue',
    errors: 'coded',
    params: Type.Object({ seen: Type.Optional(text) }),
    input: params => params
  }),
  tool(readGroups, { name: 'list_queue_groups', description: 'Groups of printers: hours, time between starts', errors: 'coded', onRequest: true }),
  tool(addGroup, { name: 'add_queue_group', description: 'Add a group of printers', errors: 'coded', onRequest: true }),
  tool(changeGroup, { name: 'change_queue_group', description: 'Change hours, printers or spacing of a group', errors: 'coded', onRequest: true }),
  tool(removeGroup, { name: 'remove_queue_group', description: 'Remove a group of printers', errors: 'coded', onRequest: true }),
  tool(readWarming, { name: 'get_queue_warming', description: 'What is warmed before jobs that say nothing of it, by material', errors: 'coded', onRequest: true }),
  tool(setWarming, { name: 'set_queue_warming', description: 'Choose that table; the whole of it is replaced', errors: 'coded', onRequest: true }),
  tool(releasePrinter, {
    name: 'release_printer',
    description: 'Let the queue use a printer again that it holds after failed prints; only after a person has removed the cause',
    errors: 'coded',
    onRequest: true,
    params: Type.Object({ stopped_at: Type.Optional(Type.Integer({ description: 'As in list_queue when you looked' })) }),
    input: params => params
  }),
  tool(setFailureLimit, {
    name: 'set_failure_limit',
    description: 'After how many failed prints in a row the queue holds a printer; 0 never, left out: as configured',
    errors: 'coded',
    onRequest: true,
    params: Type.Object({ most: Type.Optional(Type.Integer()) }),
    input: ({ most }) => ({ most: most ?? null })
  })
]
