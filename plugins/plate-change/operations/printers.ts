import { Type } from 'typebox'
import { BadInput, mayUse, operation, timeoutSignal } from '../../../core/index.js'
import { ErrorNotMeasured, NoPlatePicture, TooManyPlatePictures } from '../errors.js'
import { PrinterView } from '../schemas.js'

const PICTURE_MS = 30_000
const MOST_CORNERS = 8

export const readStatus = operation({
  name: 'plate-change.status',
  summary: 'What a printer does about its plate: accepted recipes, cooling, the last check, the magazine',
  effect: 'read',
  input: Type.Object({}),
  output: Type.Object({
    ...PrinterView.properties,
    may_change: Type.Boolean({ description: 'The caller may accept recipes, and change pictures and where the bed is' })
  }),
  run: async ({ kernel, caller, services, session }) =>
    ({ ...await services.plateChange.viewOf(session), may_change: mayUse(kernel, acceptError, caller) })
})

export const refillMagazine = operation({
  name: 'plate-change.refill',
  summary: 'The magazine of a printer was filled, or its ejections are counted from zero',
  effect: 'destructive',
  consequence: 'The queue may start the next job at once if the plate is clear.',
  input: Type.Object({}),
  output: Type.Object({ used: Type.Integer() }),
  async run ({ services, session }) {
    await services.plateChange.change(session, { used: 0 })
    return { used: 0 }
  }
})

export const takePicture = operation({
  name: 'plate-change.takePicture',
  summary: 'Store a picture of the plate, empty or with parts, for measuring the error of the camera',
  effect: 'local',
  access: 'trusted',
  record: true,
  runsHere: true,
  input: Type.Object({ kind: Type.Enum(['empty', 'full'], { description: 'What is on the plate now' }) }),
  output: Type.Object({ id: Type.String() }),
  errors: [TooManyPlatePictures],
  async run ({ services: { plateChange }, session, kernel, signal, askedBy }, { kind }) {
    const jpeg = await plateChange.camera.take(session, AbortSignal.any([signal, timeoutSignal(PICTURE_MS)]))
    const { serial } = session.config
    const text = jpeg.toString('base64')
    if ((await plateChange.store.pictures(serial)).some(picture => picture.jpeg === text)) {
      throw new BadInput('The camera shows the same picture as before. Wait until it shows a new one')
    }
    const id = await plateChange.store.addPicture({ serial, kind, jpeg, by: askedBy, now: kernel.now() })
    await plateChange.clearer.refresh()
    return { id }
  }
})

export const removePicture = operation({
  name: 'plate-change.removePicture',
  summary: 'Remove a stored picture of the plate',
  effect: 'local',
  access: 'trusted',
  record: true,
  input: Type.Object({ id: Type.String({ maxLength: 64 }) }),
  output: Type.Object({ id: Type.String() }),
  errors: [NoPlatePicture],
  async run ({ services: { plateChange }, session }, { id }) {
    await plateChange.store.removePicture(session.config.serial, id)
    return { id }
  }
})

export const readPicture = operation({
  name: 'plate-change.readPicture',
  summary: 'A stored picture of the plate, or the last one that was checked with its differences marked',
  effect: 'read',
  input: Type.Object({ id: Type.String({ maxLength: 64, description: 'Id of a picture, or `last`' }) }),
  output: Type.Object({ jpeg: Type.Unsafe<Buffer>({}) }),
  errors: [NoPlatePicture],
  async run ({ services: { plateChange }, session: { config: { serial } } }, { id }) {
    const last = id === 'last' ? plateChange.camera.last(serial)?.marked : undefined
    if (last) return { jpeg: last }
    const picture = (await plateChange.store.pictures(serial)).find(known => known.id === id)
    if (!picture) throw new NoPlatePicture()
    return { jpeg: Buffer.from(picture.jpeg, 'base64') }
  }
})

export const setMask = operation({
  name: 'plate-change.setMask',
  summary: 'Say where the bed is in the camera\'s picture',
  effect: 'local',
  access: 'trusted',
  record: true,
  input: Type.Object({
    mask: Type.Array(Type.Array(Type.Number({ minimum: 0, maximum: 1 }), { minItems: 2, maxItems: 2 }), {
      maxItems: MOST_CORNERS, description: 'Corners in order, x and y as parts of the width and height; at least three'
    })
  }),
  output: Type.Object({ corners: Type.Integer() }),
  async run ({ services, session }, { mask }) {
    if (mask.length < 3) throw new BadInput('The bed needs at least three corners')
    await services.plateChange.change(session, { mask: JSON.stringify(mask) })
    return { corners: mask.length }
  }
})

export const acceptError = operation({
  name: 'plate-change.acceptError',
  summary: 'Allow the camera\'s picture to decide, with the error that was measured, or withdraw that',
  effect: 'destructive',
  access: 'trusted',
  consequence: 'Where a recipe says so, the next job may start because a picture looks empty. The error was measured on ' +
    'a few pictures only: a thin or transparent part, or other light, can still be mistaken for an empty plate.',
  input: Type.Object({
    hash: Type.String({ maxLength: 64, description: '`hash` of the measurement as you have read it' }), accepted: Type.Boolean()
  }),
  output: Type.Object({ is_accepted: Type.Boolean() }),
  errors: [ErrorNotMeasured],
  async run ({ services, session, kernel, askedBy }, { hash, accepted }) {
    if (accepted) await services.plateChange.acceptError(session, hash, { by: askedBy, now: kernel.now() })
    else await services.plateChange.change(session, { measured: '', measured_by: '' })
    return { is_accepted: accepted }
  }
})
