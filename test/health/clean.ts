// node --import=tsx test/health/clean.ts [analyses]
//
// A whole service over a virtual printer whose print goes well: says how it was judged, and what was raised.
import { createManualClock } from '../../plugins/emulator/index.js'
import { boot } from '../../presets/testing/index.js'
import { bindSteady, MODELS, watchJob } from '../plugins/health/virtual.js'

const ANALYSES = 500
const EVERY = 50

const analyses = Number(process.argv[2] ?? ANALYSES)
const clock = createManualClock()
bindSteady(clock)
const booted = await boot({ clock, models: MODELS })
const { alerts, analyse } = await watchJob(booted, clock, analyses * 1.1 + 10)
const verdicts: Record<string, number> = {}
let highest = 0
for (let done = 1; done <= analyses; done++) {
  const result = await analyse()
  verdicts[result?.verdict ?? 'none'] = (verdicts[result?.verdict ?? 'none'] ?? 0) + 1
  highest = Math.max(highest, result?.anomaly_score ?? 0)
  if (done % EVERY === 0 || done === analyses) {
    console.log(`${done} analyses, ${result?.progress_pct} %, verdicts ${JSON.stringify(verdicts)}, ` +
      `highest score ${highest.toFixed(4)}, alerts ${alerts.length}`)
  }
}
for (const { type, payload } of alerts) console.log(type, JSON.stringify(payload))
await booted.close()
