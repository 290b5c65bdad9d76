/** What somebody writes who knows only the generated types. */
export const PROGRAM = `
import createClient from 'openapi-fetch'
import type { components, paths } from './api.js'

type Entry = components['schemas']['CardEntry']

const filesIn = (entry: Entry): Entry[] => entry.children?.flatMap(filesIn) ?? [entry]

export async function drive (baseUrl: string) {
  const api = createClient<paths>({ baseUrl })
  const printer = 'p1s'
  const query = { printer }

  async function until<T> (read: () => Promise<T | undefined>): Promise<T> {
    for (let tries = 0; tries < 400; tries++) {
      const found = await read()
      if (found !== undefined) return found
      await new Promise(resolve => setTimeout(resolve, 50))
    }
    throw new Error('in vain')
  }

  const { data: list } = await api.GET('/api/printers')
  const printers = list?.printers.map(({ name }) => name)
  const { data: bed } = await api.PATCH('/api/set_bed_target_temp', { body: { printer, temp: 55 } })
  const bedTarget = await until(async () => {
    const { data } = await api.GET('/api/printer', { params: { query: { ...query, fields: '_printer_state.climate' } } })
    const target: number | undefined = data?._printer_state?.climate?.bed_temp_target
    return target === 55 ? target : undefined
  })

  const { error } = await api.GET('/api/live', { params: { query: { printer: 'nobody' } } })
  const missing = error?.reason.slice(0, 'There is no printer'.length)

  const { data: card } = await api.GET('/api/get_sdcard_3mf_files', { params: { query } })
  const [project] = (card ? filesIn(card) : []).filter(({ name }) => name.startsWith('calibration-cube'))
  if (!project) throw new Error('there is no project')
  const { data: info } = await api.GET('/api/get_3mf_props_for_file', { params: { query: { ...query, file: project.id } } })
  const plates: number[] | undefined = info?.plates

  const { data: print, error: refused } = await api.POST('/api/print_3mf', {
    body: { printer, filename: project.id, platenum: plates?.[0] ?? 1, use_ams: false, plate: 'auto' }
  })
  if (refused) throw new Error(refused.reason)
  const { data: stop } = await api.POST('/api/stop_printing', { body: { printer } })
  const { data: alerts } = await api.GET('/api/alerts', { params: { query: { ...query, since: '' } } })
  const cursor = alerts && 'cursor' in alerts ? alerts.cursor : undefined

  return {
    printers, bed: bed?.status, bedTarget, missing, card: card !== undefined, plates, started: print?.status,
    stopped: stop?.status, cursor
  }
}
`

const wrong = (call: string): string => `
import createClient from 'openapi-fetch'
import type { paths } from './api.js'
const api = createClient<paths>({ baseUrl: '' })
export const answer = await ${call}
`

/** What the service would refuse, or does not answer. */
export const WRONG: Readonly<Record<string, string>> = {
  'a write without its parameters': wrong("api.PATCH('/api/set_bed_target_temp', { body: {} })"),
  'a write without a body': wrong("api.PATCH('/api/set_bed_target_temp')"),
  'a value outside its list': wrong("api.PATCH('/api/set_light_state', { body: { state: 'dim' } })"),
  'a read without its parameter': wrong("api.GET('/api/get_file_info', { params: { query: {} } })"),
  'a path that there is not': wrong("api.GET('/api/nothing')"),
  'a member that no answer has': wrong("(await api.GET('/api/printers')).data?.total.toUpperCase()")
}
