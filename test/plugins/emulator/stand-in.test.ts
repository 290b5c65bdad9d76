import t from 'tap'
import { definePreset, type PrinterConfig } from '../../../core/index.js'
import emulator from '../../../plugins/emulator/index.js'
import daemon from '../../../presets/daemon/index.js'
import { boot } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'

const REAL: PrinterConfig = {
  name: 'real',
  host: '127.0.0.1',
  serial: '01P00A000000000',
  accessCode: '12345678',
  ports: { mqtt: 9, ftps: 9, camera: 9, rtsps: 9 },
  tls: { mode: 'pin' }
}

for (const standIn of [true, false]) {
  t.test(standIn ? 'virtual printers that stand in leave with the first real one' : 'others stay', async t => {
    const virtual = [emulator, { models: ['p1s', 'a1mini'], standIn }] as const
    const { kernel: { printers } } =
      await boot(t, { preset: definePreset({ name: 'demo', plugins: [daemon.plugins, virtual] }), models: [] })
    await eventually(() => printers.names.length === 2)
    t.equal(printers.choose().printer, 'virtual-p1s')
    await printers.add(REAL)
    if (!standIn) {
      t.strictSame(printers.names, ['virtual-p1s', 'virtual-a1-mini', 'real'])
      return
    }
    await eventually(() => printers.names.length === 1)
    t.equal(printers.choose().printer, 'real', 'requests that name none mean it')
    await printers.add({ ...REAL, name: 'second' })
    t.strictSame(printers.names, ['real', 'second'])
  })
}

t.test('virtual printers end without a complaint', async t => {
  const lines: string[] = []
  const echo = { write: (line: string) => { lines.push(line) } } as unknown as NodeJS.WritableStream
  const preset = definePreset({ name: 'demo', plugins: [daemon.plugins, [emulator, { models: ['p1s', 'a1mini'] }]] })
  const { kernel } = await boot(t, { preset, models: [], dependencies: { logEcho: echo } })
  await eventually(() => kernel.printers.sessions.length === 2 && kernel.printers.sessions.every(({ live }) => live))
  await kernel.close()
  t.strictSame(lines, [])
})
