import t from 'tap'
import { pageModules } from '../../../helpers/page-module.js'

const load = () => pageModules(['web/page/printer-store.js', 'web/page/dialogs.js'], { packages: { shell: { t: String } } })
const viewOf = (job: object) => ({ job: { isBusy: true, ...job } })

t.test('a question that was left open is not answered for the next job', async t => {
  const { desk, otherJob, confirm, question } = await load()
  const first = { name: 'vase', start: 100 }
  const ask = async (change: object) => {
    desk.patch({ printer: 'x1c', view: viewOf(first) })
    const answer = confirm({ title: 'Stop it?', text: '', action: 'Stop', isStale: otherJob(first) })
    desk.patch(change)
    question.get().answer(true)
    return await answer
  }
  t.equal(await ask({ view: viewOf({ ...first, percent: 3 }) }), true, 'the job that was asked about')
  t.equal(await ask({ view: viewOf({ ...first, start: 200 }) }), false, 'the next copy of it')
  t.equal(await ask({ view: viewOf({ ...first, name: 'box' }) }), false, 'another file')
  t.equal(await ask({ view: { job: { ...first, isBusy: false } } }), false, 'it has ended')
  t.equal(await ask({ printer: 'p1s' }), false, 'another printer was chosen')
})

t.test('a question without such a reason is answered', async t => {
  const { confirm, question } = await load()
  const asked = confirm({ title: 'Sure?', text: '', action: 'Yes' })
  question.get().answer(true)
  t.equal(await asked, true)
})
