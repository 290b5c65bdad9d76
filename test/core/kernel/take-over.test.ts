import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { lockFolder } from '../../../core/index.js'
import { takeOverFiles, takeOverFolders } from '../../../core/kernel/take-over.js'
import { testFolder } from '../../helpers/folder.js'

t.test('folders of version 2 get the new name once', async t => {
  const home = testFolder(t, { prn: { 'config.json': 'old' }, data: { prn: { 'pins.json': '{}' } } })
  const folders = (name: string) => [join(home, name), join(home, 'data', name)]
  const said: string[] = []
  const takeOver = () => takeOverFolders(message => { said.push(message) }, folders)
  await takeOver()
  t.same(readdirSync(home).sort(), ['data', 'prnd'])
  t.equal(readFileSync(join(home, 'prnd', 'config.json'), 'utf8'), 'old')
  t.ok(existsSync(join(home, 'data', 'prnd', 'pins.json')))
  t.match(said, [/prn is now .*prnd/, /prn is now .*prnd/])
  await takeOver()
  t.equal(said.length, 2)
})

t.test('folders of the new name are kept as they are', async t => {
  const home = testFolder(t, { prn: { 'config.json': 'old' }, prnd: { 'config.json': 'new' } })
  await takeOverFolders(() => t.fail('nothing to say'), name => [join(home, name)])
  t.equal(readFileSync(join(home, 'prnd', 'config.json'), 'utf8'), 'new')
  t.equal(readFileSync(join(home, 'prn', 'config.json'), 'utf8'), 'old')
})

t.test('nothing is renamed below a service that runs', async t => {
  const home = testFolder(t, { prn: { 'prn.log': 'x' } })
  const lock = await lockFolder(join(home, 'prn'), new AbortController().signal)
  await t.rejects(takeOverFolders(() => {}, name => [join(home, name)]), { code: 'PRN_ERR_FOLDER_IN_USE' })
  await t.rejects(takeOverFiles(join(home, 'prn'), () => {}), { code: 'PRN_ERR_FOLDER_IN_USE' })
  t.ok(existsSync(join(home, 'prn', 'prn.log')))
  await lock.release()
})

t.test('what a killed service left in another container is renamed once it has been silent for long', async t => {
  const elsewhere = { process: { pid: 1, realm: 'another container', started: '' }, key: 'k'.repeat(32) }
  const folder = testFolder(t, { 'prn.log': 'x', 'service.json': JSON.stringify(elsewhere) })
  await t.rejects(takeOverFiles(folder, () => {}), { code: 'PRN_ERR_FOLDER_IN_USE' })
  const longAgo = new Date(Date.now() - 60_000)
  await utimes(join(folder, 'service.json'), longAgo, longAgo)
  await takeOverFiles(folder, () => {})
  t.ok(existsSync(join(folder, 'prnd.log')))
})

t.test('the log and the database of version 2 get the new name', async t => {
  const database = { 'prn.sqlite': 'a', 'prn.sqlite-wal': 'b', 'other.sqlite': 'c' }
  const folder = testFolder(t, { 'prn.log': 'd', 'prn.log.1': 'e', plugins: { database } })
  const said: string[] = []
  await takeOverFiles(folder, message => { said.push(message) })
  t.same(readdirSync(folder).sort(), ['plugins', 'prnd.log', 'prnd.log.1'])
  t.same(readdirSync(join(folder, 'plugins', 'database')).sort(), ['other.sqlite', 'prnd.sqlite', 'prnd.sqlite-wal'])
  t.equal(said.length, 2)
  await takeOverFiles(folder, message => { said.push(message) })
  t.equal(said.length, 2)
})

t.test('a database whose renaming was cut off goes on with its journal, and a new one never gets an old journal', async t => {
  const cutOff = testFolder(t, { plugins: { database: { 'prn.sqlite': 'a', 'prnd.sqlite-wal': 'b' } } })
  await takeOverFiles(cutOff, () => {})
  t.same(readdirSync(join(cutOff, 'plugins', 'database')).sort(), ['prnd.sqlite', 'prnd.sqlite-wal'])
  const both = { 'prn.sqlite': 'a', 'prn.sqlite-wal': 'b', 'prnd.sqlite': 'c' }
  const folder = testFolder(t, { plugins: { database: both } })
  await takeOverFiles(folder, () => t.fail('nothing to say'))
  t.same(readdirSync(join(folder, 'plugins', 'database')).sort(), Object.keys(both).sort())
})
