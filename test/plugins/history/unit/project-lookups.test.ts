import t from 'tap'
import type { PrinterSession } from '../../../../core/index.js'
import type { ProjectFacts } from '../../../../plugins/history/project-facts.js'
import { ProjectLookups, withProject } from '../../../../plugins/history/project-lookups.js'
import type { Print } from '../../../../plugins/history/types.js'

const session = {} as PrinterSession
const print = { id: 'a', projectPath: '', job: { plate: -1 }, filaments: [] } as unknown as Print
const FACTS = { projectPath: '/cube.3mf', plate: 2 } as unknown as ProjectFacts

t.test('a project is read once for each print', async t => {
  const asked: string[] = []
  const lookups = new ProjectLookups(async (_session, id) => { asked.push(id); return FACTS })
  t.equal(await lookups.read(print, session), FACTS)
  t.equal(await lookups.read(print, session), undefined)
  t.equal(await lookups.read({ ...print, id: 'b', projectPath: '/known.3mf' }, session), undefined, 'it is known already')
  t.same(asked, ['a'])
})

t.test('a project that cannot be read now is read later', async t => {
  const answers = [undefined, FACTS]
  const lookups = new ProjectLookups(async () => answers.shift())
  t.equal(await lookups.read(print, session), undefined)
  t.equal(await lookups.read(print, session), FACTS)
})

t.test('the plate of the project counts where the printer names none', async t => {
  t.match(withProject(print, FACTS), { projectPath: '/cube.3mf', job: { plate: 2 } })
  t.match(withProject({ ...print, job: { ...print.job, plate: 1 } }, FACTS), { job: { plate: 1 } })
})
