import { execFileSync } from 'node:child_process'
import t from 'tap'
import { completionFor } from '../../../presets/cli/commands/completion.js'
import { act, follow, showJobs, type Api, type Screen } from '../../../presets/cli/commands/jobs.js'
import { ok, failed, written, type PrinterReport } from '../../../presets/cli/doctor/report.js'
import { bar, hasColours, painted, table } from '../../../presets/cli/table.js'
import { createProgram } from '../../../presets/cli/program.js'
import daemon from '../../../presets/daemon/index.js'
import { boot } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'

const paper = () => {
  const lines: string[] = []
  const screen: Screen = { say: line => { lines.push(line) }, colours: false }
  return { lines, screen }
}

t.test('jobs are shown, paused, resumed and stopped through the running service', async t => {
  const booted = await boot(t, {
    preset: daemon,
    models: [
      { model: 'P1S', name: 'one', reportEveryMs: 50, speed: 20, sdCard: { samples: true } },
      { model: 'X1C', name: 'two', reportEveryMs: 50 }
    ]
  })
  const { http, kernel } = booted
  const api: Api = {
    async call<T> (method: string, path: string, params: object = {}) {
      const { status, body } = await http(method as 'GET', path, params as Record<string, string>)
      if (status >= 400) throw new Error(String((body as { reason?: unknown }).reason))
      return body as T
    }
  }
  const show = async () => {
    const { lines, screen } = paper()
    await showJobs(api, screen)
    return lines.join('\n')
  }
  t.match(await show(), /^one +Idle[^]*^two +Idle[^]*^2 printers, 0 printing, 0 need a person, 0 offline$/m)
  const { lines: json, screen: jsonScreen } = paper()
  await showJobs(api, jsonScreen, true)
  t.match(JSON.parse(json.join('')), { counts: { total: 2 } })

  const yes = async () => true
  const { lines, screen } = paper()
  await t.rejects(act(api, screen, 'pause', undefined, yes), { message: /Name a printer: one, two/ })
  await t.rejects(act(api, screen, 'pause', 'on', yes), { message: /There is no printer 'on'; did you mean 'one'/ })
  await t.rejects(act(api, screen, 'pause', 'two', yes), 'the service refuses what there is no job for')

  await api.call('POST', '/api/print_3mf', { printer: 'one', filename: '/calibration-cube.gcode.3mf', use_ams: true } as never)
  const state = () => kernel.printers.get('one')?.state?.job.gcodeState
  await eventually(() => state() === 'RUNNING' || state() === 'PREPARE')
  t.ok(await act(api, screen, 'pause', 'one', yes))
  await eventually(() => state() === 'PAUSE')
  t.match(await show(), /^one +Paused +\d+ %/m)
  t.ok(await act(api, screen, 'resume', 'one', yes))
  const other: Api = {
    async call<T> (method: string, path: string, params: Readonly<Record<string, string>> = {}) {
      const answer = await api.call<{ printers?: { job: { name: string } | null }[] }>(method, path, params)
      if (asked) for (const { job } of answer.printers ?? []) if (job) job.name = 'another'
      return answer as T
    }
  }
  let asked = false
  const late = async () => { asked = true; return true }
  await t.rejects(act(other, screen, 'stop', 'one', late), { message: /one has another job by now; nothing was stopped/ })
  await eventually(() => state() === 'RUNNING')

  const seen = paper()
  let looks = 0
  const wait = async () => {
    looks++
    if (looks > 1) return await eventually(() => state() === 'FAILED')
    t.notOk(await act(api, screen, 'stop', 'one', async () => false), 'nothing is stopped without a yes')
    t.equal(state(), 'RUNNING')
    t.ok(await act(api, screen, 'stop', 'one', yes))
    await eventually(() => state() === 'FAILED')
  }
  t.notOk(await follow(api, seen.screen, 'one', wait), 'a job that was stopped did not go well')
  t.match(seen.lines[0], /^one {2}Printing {2}\[[#.]{24}\] {2}\d+ %/)
  t.match(seen.lines.at(-1), /^one {2}Cancelled/)
  t.match(lines, ['one: The print is paused.', 'one: The print goes on.', 'Nothing was done.', 'one: The print is stopped.'])
})

t.test('columns line up, and nothing that a printer is called steers the terminal', async t => {
  t.same(table([['a', { text: 'bad', tone: 'bad' }, 'x'], ['long', 'b', '']], false), ['a     bad  x', 'long  b'])
  t.same(table([['\u001B[2Jevil\u202E']], true), ['[2Jevil'])
  t.equal(painted('x', 'bad', true), '\u001B[31mx\u001B[39m')
  t.same([{}, { NO_COLOR: '1' }, { TERM: 'dumb' }].map(env => hasColours({ isTTY: true }, env)), [true, false, false])
  t.equal(hasColours({ isTTY: false }, {}), false)
  t.same([-5, 0, 50, 100, 400].map(percent => bar(percent, 4)), ['[....]', '[....]', '[##..]', '[####]', '[####]'])
})

t.test('shells complete commands and their options', async t => {
  const script = completionFor('bash', createProgram())
  const complete = (...words: string[]) => execFileSync('bash', ['-c',
    `${script}\nCOMP_WORDS=(${words.map(word => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _prnd; echo "\${COMPREPLY[@]}"`
  ]).toString().trim().split(' ')
  t.ok(['jobs', 'watch', 'daemon'].every(name => complete('prnd', '').includes(name)))
  t.same(complete('prnd', 'watc'), ['watch'])
  t.ok(complete('prnd', 'printers', '').includes('add'))
  t.ok(complete('prnd', 'stop', '--').includes('--yes'))
  t.match(completionFor('zsh', createProgram()), /bashcompinit/)
  t.match(completionFor('fish', createProgram()), /^complete -c prnd -n __fish_use_subcommand -a jobs -d '/m)
})

t.test('the doctor tells of hundreds of printers on one screen', async t => {
  const printer = (at: number): PrinterReport => ({
    name: `p${at}`,
    model: 'X1C',
    serial: '***',
    host: '***',
    checks: at % 10 === 0 ? [failed('login', 'the code is rejected', 'Correct it.')] : [ok('login', 'good')]
  })
  const report = { prnd: '2', node: '24', platform: 'linux', healthy: false, checks: [ok('ports', 'free')] }
  const many = written({ ...report, printers: Array.from({ length: 300 }, (_, at) => printer(at)) })
  t.match(many, /^300 printers: 270 are well, 30 have problems$/m)
  t.match(many, /^ {2}FAIL {2}p0 \(X1C.*the code is rejected$/m)
  t.match(many, /and 15 more; prnd doctor --json/)
  t.ok(many.split('\n').length < 25)
  t.match(written({ ...report, printers: [printer(0), printer(1)] }), /do: Correct it\.[^]*p1 \(X1C/, 'of a few all is told')
})
