import t from 'tap'
import { createPluginAlerts } from '../../../../plugins/alerts/plugin-alerts.js'

const left = { plugin: 'glow', part: null, message: "Setup of plugin 'glow' failed: code 31415926", disabled: true }
const failing = { plugin: 'glow', part: "route 'GET /glow'", message: 'boom', disabled: false }

function made (names: readonly string[]) {
  const raised: object[] = []
  const report = createPluginAlerts(() => names,
    (printer, { type, severity, payload }) => { raised.push({ printer, type, severity, ...payload }) },
    text => text.replaceAll('31415926', '***'))
  return { raised, report }
}

t.test('each part of a plugin is reported once, and one printer stands for all', async t => {
  const { raised, report } = made(['a1', 'x1c'])
  for (const problem of [left, failing, left, { ...failing, disabled: true }]) report(problem)
  t.same(raised, [
    {
      printer: 'a1',
      type: 'plugin_failed',
      severity: 'medium',
      plugin: 'glow',
      part: null,
      reason: "Setup of plugin 'glow' failed: code ***; the service runs without it"
    },
    {
      printer: 'a1',
      type: 'plugin_failed',
      severity: 'low',
      plugin: 'glow',
      part: "route 'GET /glow'",
      reason: "route 'GET /glow' of plugin 'glow' failed: boom"
    }
  ])
})

t.test('without a printer there is nothing that an alert could belong to', async t => {
  const { raised, report } = made([])
  report(left)
  t.same(raised, [])
})
