import { chmod, mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { accessCodeOf, openSecrets } from '../../../core/kernel/secrets.js'
import { testFolder } from '../../helpers/folder.js'

const ENTRY = { name: 'a1', host: 'h', serial: '03000A000000001' }

async function open (t: Test, accessCodes: Record<string, string> = {}) {
  const dataDir = testFolder(t)
  const warnings: string[] = []
  const secrets = await openSecrets(dataDir, text => warnings.push(text))
  await secrets.set({ version: 1, accessCodes })
  return { dataDir, warnings, secrets }
}

t.test('the file is for its owner only, in a folder for its owner only', async t => {
  const { dataDir, secrets } = await open(t, { A: '12345678' })
  t.equal(secrets.path, join(dataDir, 'secrets', 'printers.json'))
  t.equal((await stat(secrets.path)).mode & 0o777, 0o600)
  t.equal((await stat(join(dataDir, 'secrets'))).mode & 0o777, 0o700)
})

t.test('a file that others can read is warned of', async t => {
  const { dataDir, secrets } = await open(t)
  await chmod(secrets.path, 0o644)
  const warnings: string[] = []
  await openSecrets(dataDir, text => warnings.push(text))
  t.same(warnings, [`${secrets.path} can be read by others; its mode should be 0600`])
  await chmod(join(dataDir, 'secrets'), 0o755)
  await chmod(secrets.path, 0o600)
  await openSecrets(dataDir, text => warnings.push(text))
  t.equal((await stat(join(dataDir, 'secrets'))).mode & 0o777, 0o700, 'the folder is closed again')
})

t.test('a damaged file is set aside, and the warning says nothing of what is in it', async t => {
  const dataDir = testFolder(t)
  await mkdir(join(dataDir, 'secrets'))
  await writeFile(join(dataDir, 'secrets', 'printers.json'), '{"version":1,"accessCodes":{"A":12345678x}}', { mode: 0o600 })
  const warnings: string[] = []
  const secrets = await openSecrets(dataDir, text => warnings.push(text))
  t.same(secrets.get().accessCodes, {})
  t.match(warnings, [/printers\.json is damaged \(line 1, column \d+: .*\); it was set aside as .*\.damaged-\d+ and a new one is begun/])
  t.notMatch(warnings[0], /12345678/)
})

t.test('a code in the configuration is used as it is', async t => {
  const { secrets } = await open(t, { [ENTRY.serial]: 'stored' })
  t.equal(await accessCodeOf({ ...ENTRY, accessCode: 'plain' }, 'p', {}, secrets), 'plain')
})

t.test('without one the stored code of the serial number is, however that is typed', async t => {
  const { secrets } = await open(t, { [ENTRY.serial]: 'stored' })
  t.equal(await accessCodeOf(ENTRY, 'p', {}, secrets), 'stored')
  t.equal(await accessCodeOf({ ...ENTRY, serial: ' 03000a000000001 ' }, 'p', {}, secrets), 'stored')
})

t.test('no code anywhere says where it was looked for', async t => {
  const { secrets } = await open(t)
  await t.rejects(accessCodeOf(ENTRY, 'printers[3]', {}, secrets), {
    code: 'PRN_ERR_CONFIG',
    message: "printers[3].accessCode is missing, and the secrets file has none for 'a1' (03000A000000001)"
  })
})

t.test('a code from the environment', async t => {
  const { secrets } = await open(t)
  const entry = { ...ENTRY, accessCode: { env: 'A1_CODE' } }
  t.equal(await accessCodeOf(entry, 'p', { A1_CODE: ' 12345678\n' }, secrets), '12345678')
  for (const env of [{}, { A1_CODE: '' }, { A1_CODE: '  ' }]) {
    await t.rejects(accessCodeOf(entry, 'p', env, secrets), {
      code: 'PRN_ERR_CONFIG', message: 'p.accessCode: the environment variable A1_CODE is not set'
    })
  }
})

t.test('a code from a file', async t => {
  const { secrets, dataDir } = await open(t)
  const file = join(dataDir, 'code')
  const entry = { ...ENTRY, accessCode: { file } }
  await t.rejects(accessCodeOf(entry, 'p', {}, secrets), { code: 'PRN_ERR_CONFIG', message: /^p\.accessCode: ENOENT/ })
  await writeFile(file, '\n')
  await t.rejects(accessCodeOf(entry, 'p', {}, secrets), { code: 'PRN_ERR_CONFIG', message: `p.accessCode: ${file} is empty` })
  await writeFile(file, '12345678\n')
  t.equal(await accessCodeOf(entry, 'p', {}, secrets), '12345678')
})
