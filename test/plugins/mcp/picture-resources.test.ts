import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import sharp from 'sharp'
import t from 'tap'
import { createManualClock } from '../../../plugins/emulator/index.js'
import { boot } from '../../helpers/boot-features.js'
import { eventually } from '../../helpers/eventually.js'
import { bindSteady, MODELS, watchJob } from '../health/virtual.js'

type Content = { mimeType: string, text?: string, blob?: string }
const read = async (client: Client, uri: string) => (await client.readResource({ uri })).contents as Content[]
const sizeOf = ({ blob = '' }: Content) => sharp(Buffer.from(blob, 'base64')).metadata()

function updates (client: Client): string[] {
  const seen: string[] = []
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params: { uri } }) => { seen.push(uri) })
  return seen
}

t.test('the camera: a picture that fits, and news only of what comes anyway', async t => {
  const { client, kernel, name } = await boot(t, {
    models: [{ model: 'P1S', camera: { width: 1280, height: 720, fps: 10 } }]
  })
  const uri = `prnd://printers/${name}/camera`
  const { resources } = await client.listResources()
  t.match(resources.find(resource => resource.uri === uri), { mimeType: 'image/jpeg', title: `Camera: ${name}` })

  const { manager } = kernel.services.camera
  const { source } = manager.stream(kernel.printers.resolve(name))
  const told = updates(client)
  await client.subscribeResource({ uri })
  t.equal(source.running, false, 'a subscription connects nothing')
  const end = source.attach()
  await eventually(() => told.includes(uri))
  end()

  const [picture] = await read(client, uri)
  t.equal(picture?.mimeType, 'image/jpeg')
  t.match(await sizeOf(picture as Content), { format: 'jpeg', width: 1024, height: 576 })

  await kernel.printers.disconnect(name)
  await t.rejects(read(client, uri), { message: /not connected/ })
  await t.rejects(read(client, 'prnd://printers/nobody/camera'), { code: -32_002 })
})

t.test('the plate: what the job prints, and news when it is another', async t => {
  const { client, tool, name } = await boot(t, {
    models: [{ model: 'P1S', reportEveryMs: 100, speed: 20, sdCard: { samples: true } }]
  })
  const uri = `prnd://printers/${name}/plate`
  const words = async () => JSON.parse((await read(client, uri))[0]?.text ?? '')
  t.match(await words(), { file: null, objects: [] })
  const told = updates(client)
  await client.subscribeResource({ uri })
  const file = '/desk-organiser.gcode.3mf'
  await tool('print_file', { name, file_path: file, plate_num: 2, accept_mismatch: true, user_permission: true })
  await eventually(async () => (await words()).file === file)
  await eventually(() => told.includes(uri))
  t.match(await words(), { job: 'desk-organiser', plate: 2, objects: [{ id: 1071, name: 'pen cup.stl' }] })
  const [, above, aside] = await read(client, uri)
  t.match(await sizeOf(above as Content), { format: 'jpeg', width: 874 })
  t.match(await sizeOf(aside as Content), { format: 'jpeg', width: 512 })
})

t.test('the health of a print: the verdict and its picture, and news of each result', async t => {
  const clock = createManualClock(Date.now())
  t.teardown(bindSteady(clock))
  const booted = await boot(t, { models: MODELS, clock })
  const { client, name } = booted
  const uri = `prnd://printers/${name}/health`
  t.same((await read(client, uri)).map(({ text }) => text), ['{"result":null}'])
  const told = updates(client)
  await client.subscribeResource({ uri })
  const { analyse } = await watchJob(booted, clock, 60)
  const before = told.length
  const result = await analyse()
  await eventually(() => told.length > before)
  const [verdict, picture] = await read(client, uri)
  t.same(JSON.parse(verdict?.text ?? ''), { result: JSON.parse(JSON.stringify(result)) })
  t.match(await sizeOf(picture as Content), { format: 'jpeg' })
})
