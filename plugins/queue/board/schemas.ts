import { Type, type Static } from 'typebox'
import { WAITS_FOR } from '../forecast/index.js'
import { Expected, MaybeTime, PartsView, PausedUntil, PrinterRow, RUN_STATES, Time, Why } from '../schemas.js'
import { SECTIONS } from './job-groups.js'

const Count = (description: string) => Type.Integer({ description })
const Maybe = (description: string) => Type.Union([Type.Number(), Type.Null()], { description })

const RunOnBoard = Type.Object({
  job: Type.String(),
  printer: Type.String(),
  state: Type.Enum([...RUN_STATES]),
  reason: Type.String(),
  why: Why,
  percent: Type.Number(),
  ends_at: MaybeTime('Expected end')
}, { 'x-name': 'QueueBoardRun' })

export const GroupView = Type.Object({
  key: Type.String({ description: 'For `group` of `GET /api/queue`; changes when the jobs move to another section' }),
  section: Type.Enum([...SECTIONS], {
    description: 'needs_person: no printer can print them, or an outcome is unknown, until a person acts'
  }),
  first: Type.String({ description: 'Id of the first job' }),
  jobs: Count('Number of jobs'),
  name: Type.String(),
  priority: Type.Integer(),
  file: Type.String({ description: 'Id of the file' }),
  plate: Type.Integer(),
  seconds: Maybe('Of one copy, according to the slicer'),
  grams: Maybe('Of one copy, according to the slicer'),
  filaments: Type.Array(Type.Object({ type: Type.String(), color: Type.String() })),
  copies: Type.Integer(),
  finished: Type.Integer(),
  parts: PartsView,
  waiting: Count('Copies that wait'),
  runs: Type.Array(RunOnBoard, { description: 'Copies in progress, at most eight, those of unknown outcome first' }),
  reason: Type.String({ description: 'What keeps them waiting besides busy printers; else empty' }),
  why: Why,
  expected: Expected
}, { 'x-name': 'QueueGroup' })
export type GroupView = Static<typeof GroupView>

const Bar = Type.Object({
  job: Type.String({ description: 'Id of the job; empty for a print that the queue did not start' }),
  name: Type.String(),
  is_running: Type.Boolean(),
  percent: Type.Number(),
  starts_at: Time('Start'),
  ends_at: Time('Expected end')
}, { 'x-name': 'QueueBar' })

export const LaneView = Type.Object({
  printer: Type.String(),
  waits_for: Type.Union([Type.Enum([...WAITS_FOR]), Type.Null()], {
    description: 'What a person has to do before its next print: clear the plate, look at the printer, or resume the queue. ' +
      'The expected prints are shown as if that was done now'
  }),
  is_absent: Type.Boolean({ description: 'Not connected, or it takes no commands: nothing is expected on it' }),
  bars: Type.Array(Bar)
}, { 'x-name': 'QueueLane' })
export type LaneView = Static<typeof LaneView>

export const BoardView = Type.Object({
  is_paused: Type.Boolean(),
  paused_until: PausedUntil,
  summary: Type.Object({
    printing: Count('Copies in progress'),
    waiting: Count('Copies that wait, without those of held jobs'),
    needs_person: Count('Jobs that no printer can print, or whose outcome is unknown, until a person acts'),
    held: Count('Jobs that are held'),
    ends_at: MaybeTime('When the last copy is expected to end, if plates are cleared at once; null when nothing is expected')
  }, { 'x-name': 'QueueSummary' }),
  printers: Type.Array(PrinterRow),
  groups: Type.Array(GroupView),
  more: Count('Number of groups beyond this page'),
  lanes: Type.Array(LaneView, { description: 'Prints by printer within the requested `hours`' })
}, { 'x-name': 'QueueBoard' })
export type BoardView = Static<typeof BoardView>
