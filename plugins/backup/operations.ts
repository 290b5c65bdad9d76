import type { Readable } from 'node:stream'
import { Type } from 'typebox'
import { operation } from '../../core/index.js'
import { NoBackup } from './errors.js'

const Made = Type.Object({
  id: Type.String({ description: 'Part of the address of the download' }),
  file: Type.String({ description: 'Name for the downloaded file' }),
  size: Type.Integer({ description: 'Bytes' }),
  made_at: Type.Integer({ description: 'ms since the epoch' }),
  rows: Type.Integer({ description: 'Rows of the database' }),
  left_out: Type.Array(Type.String(), { description: 'Keys of the configuration that are secrets' })
}, { 'x-name': 'Backup' })

const Nightly = Type.Object({
  on: Type.Boolean(),
  hour: Type.Integer({ description: 'From this hour on, in the time zone of the service' }),
  keep: Type.Integer({ description: 'How many are kept' }),
  folder: Type.String(),
  newest: Type.Union([
    Type.Object({
      file: Type.String(),
      size: Type.Integer({ description: 'Bytes' }),
      made_at: Type.Integer({ description: 'ms since the epoch' })
    }, { description: 'It was restored for a trial when it was made' }),
    Type.Null()
  ]),
  problem: Type.Union([Type.String(), Type.Null()], { description: 'Why the last one failed' })
}, { 'x-name': 'NightlyBackups' })

export const readBackup = operation({
  name: 'backup.read',
  summary: 'The backup that waits to be downloaded',
  effect: 'read',
  scope: 'daemon',
  access: 'trusted',
  input: Type.Object({}),
  output: Type.Object({
    backup: Type.Union([Made, Type.Null()]),
    config_file: Type.String({ description: 'Of this service; a restore on another machine needs its own' }),
    nightly: Nightly
  }),
  run: async ({ services: { backup, nightlyBackups }, kernel }) => ({
    backup: backup.made ?? null, config_file: kernel.configFile, nightly: await nightlyBackups.state()
  })
})

export const planBackups = operation({
  name: 'backup.plan',
  summary: 'Have backups made every night',
  effect: 'write',
  scope: 'daemon',
  access: 'trusted',
  consequence: 'From now on a backup without secrets is written every night, and the oldest is deleted. Nothing on a printer changes.',
  input: Type.Object({
    on: Type.Optional(Type.Boolean()),
    hour: Type.Optional(Type.Integer({ minimum: 0, maximum: 23, description: 'In the time zone of the service' })),
    keep: Type.Optional(Type.Integer({ minimum: 1, maximum: 400, description: 'How many are kept' }))
  }),
  output: Nightly,
  async run ({ services: { nightlyBackups } }, changes) {
    await nightlyBackups.change(changes)
    return await nightlyBackups.state()
  }
})

export const makeBackup = operation({
  name: 'backup.make',
  summary: 'Make a backup, without access codes and other secrets',
  effect: 'write',
  scope: 'daemon',
  access: 'trusted',
  consequence: 'A file with all records is written and waits an hour for its download. Nothing on a printer changes.',
  input: Type.Object({}),
  output: Made,
  run: ({ services: { backup } }) => backup.make()
})

export const downloadBackup = operation({
  name: 'backup.download',
  summary: 'Download the backup that was made',
  effect: 'read',
  record: true,
  scope: 'daemon',
  access: 'trusted',
  input: Type.Object({ id: Type.String({ pattern: '^[0-9a-f]{32}$' }) }),
  output: Type.Object({ file: Type.String(), size: Type.Integer(), body: Type.Unsafe<Readable>({}) }),
  errors: [NoBackup],
  run ({ services: { backup } }, { id }) {
    const { made: { file, size }, body } = backup.open(id)
    return { file, size, body }
  }
})
