import type { Page } from 'playwright-core'
import { eventually } from '../../../helpers/eventually.js'
import { PASSWORD } from '../../people/people.js'
import { sliced } from '../../queue/helpers.js'
import { read, received, receives } from '../desk.js'
import { button, dialog, link, type Hands } from './hands.js'
import { CODE, lastTuesday, type World } from './world.js'

export interface Task {
  readonly name: string
  /** The most actions that it may take. */
  readonly bar: number
  /** What has to be so before a person begins. */
  before? (world: World, round: number): Promise<unknown>
  /** What the person does, from Home on. @param see a state that is looked at */
  does (hands: Hands, world: World, see: (state: string) => Promise<void>, round: number): Promise<unknown>
  /** Whether it came about, asked from the service. */
  done (world: World, round: number): Promise<boolean>
}

const BLUE = { name: 'badge.gcode.3mf', content: sliced({ color: '#0A2989', minutes: 600 }) }

/** Lets go of a file above the page, as a file manager does. */
const drop = (page: Page, { name, content }: typeof BLUE) => read(page, `{
  const bytes = Uint8Array.from(atob('${content.toString('base64')}'), one => one.charCodeAt(0))
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(new File([bytes], '${name}'))
  document.querySelector('h1').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
}`)

/** A person without a mouse chooses the file instead of dropping it. */
async function bring (hands: Hands, page: Page, file: typeof BLUE, printer: string) {
  if (hands.by === 'mouse') {
    await drop(page, file)
    return await hands.press(link(page, `Print on ${printer}`))
  }
  await hands.press(link(page, printer))
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), hands.press(button(page, 'Print a file …'))])
  await chooser.setFiles({ name: file.name, mimeType: 'model/3mf', buffer: file.content })
}

const isoDay = (date: Date) => [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(part => String(part).padStart(2, '0')).join('-')

const platesOf = async (api: World['api']): Promise<string[]> =>
  (await api('GET', 'queue', { state: 'open' })).body.printers.map(({ plate }: any) => plate)

export const tasks: readonly Task[] = [
  {
    name: 'Clear thirty plates',
    bar: 3,
    before: async ({ printers, api }, round) => {
      if (round === 0) return
      await api('DELETE', 'setup/printers', { name: 'workshop' })
      for (const printer of printers) printer.startJob({ name: 'again', minutes: 60 })
      await eventually(async () => (await platesOf(api)).every(plate => plate === 'used'))
      for (const printer of printers) printer.stopJob()
      await eventually(async () => (await api('GET', 'fleet')).body.printers.every(({ condition }: any) =>
        !['printing', 'preparing'].includes(condition)))
    },
    does: async (hands, { page }, see) => {
      await hands.open('Queue')
      await hands.ask(button(page, 'All 30 are clear'))
      await see('thirty plates')
      await hands.press(button(dialog(page), 'These 30 plates are clear'))
    },
    done: async ({ api }) => (await platesOf(api)).every(plate => plate === 'clear')
  },
  {
    name: 'Add a printer, with a wrong code first',
    bar: 8,
    does: async (hands, { page, newcomer }, see) => {
      const form = dialog(page)
      await hands.open('Settings')
      await hands.press(link(page, 'Printers'))
      await hands.ask(button(page, 'Add workshop'))
      await hands.write(form.getByRole('textbox', { name: 'Address' }), `127.0.0.1:${newcomer.ports.mqtt}`)
      await hands.write(form.getByRole('textbox', { name: 'Access code' }), '11111111')
      await hands.press(button(form, 'Add printer'))
      await form.getByRole('alert').filter({ hasText: 'refuses this access code' }).waitFor()
      await see('a wrong code')
      await hands.write(form.getByRole('textbox', { name: 'Access code' }), CODE)
      await hands.press(button(form, 'Add printer'))
      await page.getByText('workshop is set up and connected.').waitFor()
    },
    done: async ({ api }) => (await api('GET', 'setup/printers')).body.printers.some(({ name }: any) => name === 'workshop')
  },
  {
    name: 'Print a dropped file in the right colour',
    bar: 3,
    does: async (hands, { page }, see) => {
      await bring(hands, page, BLUE, 'bench')
      await dialog(page).getByRole('combobox', { name: /Spool for filament 1/ }).waitFor()
      await see('the print dialogue')
      await hands.press(button(dialog(page), 'Start print'))
      await dialog(page).waitFor({ state: 'detached' })
    },
    done: async ({ printer }, round) => {
      const last: any = await receives(printer('bench'), 'project_file', round + 1)
      return JSON.stringify(last.ams_mapping) === '[4]'
    }
  },
  {
    name: 'Stop a print',
    bar: 3,
    does: async (hands, { page }, see) => {
      await hands.press(link(page, 'bench'))
      await hands.ask(button(page, 'Stop'))
      await see('the question')
      await hands.press(button(dialog(page), 'Stop print'))
    },
    done: async ({ printer }, round) => received(printer('bench'), 'stop').length === round + 1
  },
  {
    name: 'See who stopped this print',
    bar: 3,
    does: async (hands, { page }, see) => {
      await hands.open('History')
      await hands.press(page.getByRole('listitem').filter({ hasText: 'bench' }).getByRole('link', { name: 'badge' }).first())
      await page.getByRole('main').filter({ hasText: /Stopped by\s*Ann/ }).waitFor()
      await see('one print')
    },
    done: async ({ api }) => (await api('GET', 'history', { limit: '1' })).body.prints[0].ended_by.includes('Ann')
  },
  {
    name: 'Find the print of last Tuesday',
    bar: 3,
    does: async (hands, { page }, see) => {
      await hands.open('History')
      await hands.date(page.getByLabel('To', { exact: true }), isoDay(lastTuesday()))
      await hands.press(page.getByRole('listitem').filter({ hasText: 'Tue' }).first().getByRole('link'))
      await page.getByRole('main').filter({ hasText: /Start\s*Tue/ }).waitFor()
      await see('an old print')
    },
    done: async ({ page, api }) => {
      const { body } = await api('GET', `history/${new URL(page.url()).hash.slice(1)}`)
      return new Date(body.started_at).toDateString() === lastTuesday().toDateString()
    }
  },
  {
    name: 'Be told on a phone, with a test',
    bar: 6,
    before: async ({ api }, round) => round > 0 && await api('DELETE', 'messages/targets', { name: 'ntfy' }),
    does: async (hands, { page }, see) => {
      await hands.open('Settings')
      await hands.press(link(page, 'Messages'))
      await hands.ask(button(page, /^ntfy/))
      await see('a place for messages')
      await hands.press(button(dialog(page), 'Test'))
      await dialog(page).getByText('A test message was accepted').waitFor()
      await hands.press(button(dialog(page), 'Save'))
      await dialog(page).waitFor({ state: 'detached' })
    },
    done: async ({ api, sent }, round) => sent.length > round && sent.every(host => host === 'ntfy.sh') &&
      (await api('GET', 'messages')).body.targets.some(({ name }: any) => name === 'ntfy')
  },
  {
    name: 'Dry a spool tonight',
    bar: 4,
    before: async ({ api, printer }, round) => {
      if (round === 0) return
      await api('POST', 'turn_off_ams_dryer', { printer: 'dryer', ams_id: 0 })
      await eventually(() => received(printer('dryer'), 'ams_filament_drying').length % 2 === 0)
    },
    does: async (hands, { page }, see) => {
      await hands.press(link(page, 'dryer'))
      await hands.ask(button(page, 'Dry in AMS A …'))
      await see('how it is dried')
      await hands.press(button(dialog(page), 'Start drying'))
      await dialog(page).waitFor({ state: 'detached' })
    },
    done: async ({ printer }, round) => received(printer('dryer'), 'ams_filament_drying').length % 2 === 1
  },
  {
    name: 'Heat the bed for a material',
    bar: 3,
    before: async ({ api }) => await api('PATCH', 'set_bed_target_temp', { printer: 'room-1', temp: 0 }),
    does: async (hands, { page }, see) => {
      await hands.press(link(page, 'room-1'))
      await hands.ask(button(page, 'Bed, target: not active'))
      await see('the bed')
      await hands.press(button(dialog(page), 'PLA 55 °C'))
    },
    done: async ({ api }) => (await api('GET', 'printer', { printer: 'room-1' })).body._printer_state.climate.bed_temp_target === 55
  },
  {
    name: 'Enter a new spool',
    bar: 5,
    does: async (hands, { page }, see) => {
      await hands.open('Spools')
      await hands.ask(button(page, 'Add a spool'))
      await hands.write(dialog(page).getByRole('searchbox', { name: /^Which filament/ }), 'prusament petg')
      await hands.press(button(dialog(page), /^Prusament PETG/).first())
      await see('a spool')
      await hands.press(button(dialog(page), 'Save'))
      await dialog(page).waitFor({ state: 'detached' })
    },
    done: async ({ api }, round) => (await api('GET', 'spools/inventory')).body.spools.length === round + 1
  },
  {
    name: 'Let a second person in',
    bar: 7,
    does: async (hands, { page }, see, round) => {
      await hands.open('Settings')
      await hands.press(link(page, 'People'))
      await hands.ask(button(page, 'Add user'))
      await hands.write(dialog(page).getByRole('textbox', { name: 'Name' }), `Ben ${round}`)
      await hands.write(dialog(page).getByLabel('Password (10'), PASSWORD)
      await hands.write(dialog(page).getByLabel('Password again'), PASSWORD)
      await see('a person')
      await hands.press(button(dialog(page), 'Add user'))
      await dialog(page).waitFor({ state: 'detached' })
    },
    done: async ({ api }, round) => (await api('GET', 'people/users')).body.users.some(({ name }: any) => name === `Ben ${round}`)
  },
  {
    name: 'Have the light switched off after prints',
    bar: 4,
    does: async (hands, { page }, see, round) => {
      await hands.open('Rules')
      if (round > 0) await hands.press(link(page, 'New rule'))
      await hands.press(link(page, /^Light off after a print/))
      await see('a rule')
      await hands.press(page.getByRole('checkbox', { name: /^I have read this/ }))
      await hands.press(button(page, 'Save'))
      await page.getByRole('heading', { name: /^\d rules?$/ }).waitFor()
    },
    done: async ({ api }, round) => (await api('GET', 'rules')).body.rules.length === round + 1
  },
  {
    name: 'Record upkeep as done',
    bar: 3,
    before: async ({ api }) => await api('PATCH', 'maintenance/before', { printer: 'bench', before: { hours: 310 } }),
    does: async (hands, { page }, see) => {
      await hands.open('Maintenance')
      await hands.ask(button(page, /^Done: .*bench$/).first())
      await see('upkeep')
      await hands.press(button(dialog(page), 'Done'))
      await page.getByText(/is recorded\./).waitFor()
    },
    done: async ({ api }, round) => (await api('GET', 'maintenance/history')).body.done.length === round + 1
  },
  {
    name: 'Keep the room quiet at night',
    bar: 4,
    before: async ({ api }) => await api('PATCH', 'night', { quiet: { hours: null } }),
    does: async (hands, { page }, see) => {
      await hands.open('Settings')
      await hands.press(link(page, 'Night'))
      const night = page.getByRole('form', { name: 'Night' })
      await hands.press(night.getByRole('checkbox', { name: 'Keep the queue quiet' }))
      await see('quiet hours')
      await hands.press(button(night, 'Save'))
      await night.getByText('Saved').waitFor()
    },
    done: async ({ api }) => (await api('GET', 'night')).body.settings.quiet.hours === '22:00-07:00'
  },
  {
    name: 'Keep a backup',
    bar: 4,
    does: async (hands, { page }, see) => {
      await hands.open('Settings')
      await hands.press(link(page, 'Backup'))
      await hands.press(button(page, /^Make a (backup|new one)$/))
      await see('a backup')
      const [download] = await Promise.all([page.waitForEvent('download'), hands.press(link(page, 'Download'))])
      await download.path()
    },
    done: async ({ api }) => (await api('GET', 'backup')).body.backup !== null
  }
]
