import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { Type } from 'typebox'
import { askEach, askOwner, NotConnected, operation } from '../../core/index.js'
import { AlreadyRecording, NoRecording, RecordingUnfinished, TimelapseGoesOn } from './errors.js'
import { mergePages } from './recording-page.js'
import { KINDS, RecordingId, RecordingSchema, SettingsSchema } from './schemas.js'

const One = Type.Object({ id: RecordingId })

export const listRecordings = operation({
  name: 'recording.list',
  summary: 'Recordings of the cameras, newest first',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({
    printer: Type.Optional(Type.String({ description: 'Only those of this printer' })),
    kind: Type.Optional(Type.Enum(KINDS)),
    alert: Type.Optional(Type.String({ description: 'Id or type of an alert: only evidence of it' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
    cursor: Type.Optional(Type.String({ description: '`next` of the prior page' }))
  }),
  output: Type.Object({
    recordings: Type.Array(RecordingSchema),
    total: Type.Integer({ description: 'On all pages' }),
    next: Type.Union([Type.String(), Type.Null()], { description: 'Cursor of the next page' })
  }),
  atHub: async (services, input) => mergePages(await askEach(services, input), input.limit),
  run: ({ services: { recording } }, { limit = 50, cursor, ...wanted }) => {
    const page = recording.list(wanted, limit, cursor)
    return { ...page, recordings: [...page.recordings] }
  }
})

export const readRecording = operation({
  name: 'recording.read',
  summary: 'One recording',
  effect: 'read',
  scope: 'daemon',
  input: One,
  output: RecordingSchema,
  errors: [NoRecording],
  atHub: askOwner(NoRecording),
  run: ({ services: { recording } }, { id }) => recording.get(id)
})

export const deleteRecording = operation({
  name: 'recording.delete',
  summary: 'Delete a recording',
  effect: 'destructive',
  scope: 'daemon',
  consequence: 'The video is deleted permanently.',
  input: One,
  output: RecordingSchema,
  errors: [NoRecording, RecordingUnfinished],
  atHub: askOwner(NoRecording),
  run: ({ services: { recording } }, { id }) => recording.remove(id)
})

/** Streams the file to hubs; this service's own route sends it from disk. */
export const readRecordingFile = operation({
  name: 'recording.readFile',
  summary: 'The video of a recording',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({
    id: RecordingId,
    from: Type.Optional(Type.Integer({ minimum: 0, description: 'First byte' })),
    to: Type.Optional(Type.Integer({ minimum: 0, description: 'Last byte' }))
  }),
  output: Type.Object({
    recording: RecordingSchema,
    size: Type.Integer({ description: 'Of the whole file' }),
    body: Type.Optional(Type.Unsafe<Readable>({ type: 'string', format: 'binary', description: 'Absent if `from` is beyond the end' }))
  }),
  errors: [NoRecording, RecordingUnfinished],
  atHub: askOwner(NoRecording),
  async run ({ services }, { id, from = 0, to }) {
    const { folder, name, recording } = services.recording.fileOf(id)
    const path = join(folder, name)
    const { size } = await stat(path)
    const last = Math.min(to ?? size - 1, size - 1)
    return { recording, size, ...(from <= last && { body: createReadStream(path, { start: from, end: last }) }) }
  }
})

export const startRecording = operation({
  name: 'recording.start',
  summary: 'Record the camera from now on',
  effect: 'write',
  consequence: 'The video is stored on the host until it is deleted.',
  input: Type.Object({
    seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 600, default: 60, description: 'How long, from its first picture' }))
  }),
  output: RecordingSchema,
  errors: [AlreadyRecording, NotConnected],
  run: ({ services: { recording }, session }, { seconds = 60 }) => recording.start(session, seconds)
})

export const stopRecording = operation({
  name: 'recording.stop',
  summary: 'End a recording early and keep it',
  effect: 'local',
  record: true,
  scope: 'daemon',
  input: One,
  output: RecordingSchema,
  errors: [NoRecording, TimelapseGoesOn],
  atHub: askOwner(NoRecording),
  run: ({ services: { recording } }, { id }) => recording.stop(id)
})

export const readSettings = operation({
  name: 'recording.readSettings',
  summary: 'What is recorded automatically',
  effect: 'read',
  input: Type.Object({}),
  output: SettingsSchema,
  run: ({ services: { recording }, session }) => recording.settings.of(session.name)
})

export const changeSettings = operation({
  name: 'recording.changeSettings',
  summary: 'Choose what is recorded automatically',
  effect: 'write',
  consequence: 'Camera video is stored on the host, or no longer.',
  input: Type.Partial(SettingsSchema),
  output: SettingsSchema,
  run: ({ services: { recording }, session }, changes) => recording.settings.change(session.name, changes)
})
