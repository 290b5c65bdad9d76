import t from 'tap'
import { createManualClock } from '../../../plugins/emulator/index.js'
import { CATEGORIES, type Category } from '../../../plugins/health/pictures/names.js'
import { boot } from '../../helpers/boot-features.js'
import { eventually } from '../../helpers/eventually.js'
import { bindSteady } from './virtual.js'

const ERRORS = ['error', 'detail']
/** Pictures are made by the dozen. */
const MODELS = [{ model: 'P1S', camera: { width: 320, height: 180, fps: 2 } }] as const
/** Nothing is known of the project of a job that the printer began by itself. */
const WITHOUT_PROJECT: readonly string[] = CATEGORIES.P
/** Share of the camera in the confidence. */
const CAMERA = 0.25

const isPicture = (value: unknown) => typeof value === 'string' && /^data:image\/(png|jpeg);base64,.{100,}/.test(value)

t.test('an analysis can be had at every time of a job, in every category', { timeout: 180_000 }, async t => {
  const clock = createManualClock()
  t.teardown(bindSteady(clock))
  const { tool, http, kernel, name, printer } = await boot(t, { clock, models: MODELS })
  const session = kernel.printers.resolve(name)
  /** Lets so much time pass, and waits until the printer has told of it. */
  async function reaches (afterS: number, gcodeState: string, prints: boolean) {
    clock.advance(afterS * 1_000)
    await eventually(() => {
      const { job } = session.state ?? {}
      return job?.gcodeState === gcodeState && (job.stage.id === 0 || job.stage.id === 255) === prints
    }, 30_000)
  }

  /** @returns the confidence of the decision */
  async function walk (when: string): Promise<number> {
    for (const category of Object.keys(CATEGORIES) as Category[]) {
      const { value, failed, text } = await tool('analyze_active_job', { name, categories: [category.toLowerCase()], quality: 'preview' })
      t.notOk(failed, `${when} ${category}: ${text.slice(0, 100)}`)
      t.notOk(ERRORS.some(key => key in value), when)
      const pictures = Object.keys(value).slice(Object.keys(value).indexOf('timestamp') + 1)
      t.same(pictures, CATEGORIES[category], `${when} ${category}: these and no others`)
      for (const picture of pictures) {
        const given = picture === 'diff_png' ? value.diff_score !== null : !WITHOUT_PROJECT.includes(picture)
        t.equal(isPicture(value[picture]), given, `${when} ${picture}`)
      }
    }
    const { status, body } = await http('GET', '/api/analyze_active_job', { printer: name, categories: 'X,H' })
    t.equal(status, 200, when)
    t.ok(isPicture(body.job_state_composite_jpg) && isPicture(body.health_panel_png), when)
    t.match(body, { verdict: 'clean', stable_verdict: 'clean', anomaly_score: Number, factor_contributions: Object }, when)
    return body.decision_confidence
  }

  await walk('idle')
  printer.startJob({ minutes: 10, layers: 100 })
  await reaches(10, 'RUNNING', false)
  const preparing = await walk(`preparing, stage ${session.state?.job.stage.id}`)
  await reaches(110, 'RUNNING', true)
  const stored = await tool('analyze_active_job', { name, store_as_reference: true, categories: ['C'] })
  t.ok(stored.value.diff_score === 0 && isPicture(stored.value.diff_png), 'a reference shows no difference to itself')
  const printing = await walk('printing')
  t.ok(printing - preparing >= CAMERA, `the camera says nothing while it prepares: ${preparing}, then ${printing}`)
  await tool('pause_print', { name, user_permission: true })
  await reaches(2, 'PAUSE', false)
  await walk('paused')
  await tool('resume_print', { name, user_permission: true })
  await reaches(2, 'RUNNING', true)
  await reaches(900, 'FINISH', true)
  await walk('finished')
})
