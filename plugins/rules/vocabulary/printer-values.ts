import { defineRuleValue, hasCurrentState, type Named, type PrinterState, type RuleValue } from '../../../core/index.js'

type Plain = string | number | boolean | undefined
interface Details extends Partial<Pick<RuleValue, 'unit' | 'choices'>> { readonly type?: RuleValue['type'] }

const JOB_STATES = ['IDLE', 'PREPARE', 'RUNNING', 'PAUSE', 'FINISH', 'FAILED']
const LIGHTS = ['on', 'off', 'flashing']

/** A value of the last report, which is not known while reports are not current. */
const reported = (name: string, named: Named, of: (state: PrinterState) => Plain, details: Details = {}): RuleValue =>
  defineRuleValue({
    name,
    named,
    type: 'number',
    perPrinter: true,
    ...details,
    read (kernel, printer) {
      const session = kernel.printers.get(printer)
      return session?.state !== undefined && hasCurrentState(session) ? of(session.state) : undefined
    }
  })

const celsius = { unit: '°C' }
const percent = { unit: '%' }
const yes = { type: 'boolean' } as const
const wettest = ({ ams }: PrinterState): number | undefined => {
  const known = ams.units.map(({ humidityPercent }) => humidityPercent).filter(value => value > 0)
  return known.length === 0 ? undefined : Math.max(...known)
}

/** Values of printers, by their reports. */
export const printerValues: readonly RuleValue[] = [
  reported('printer.state', { en: "the printer's state", de: 'der Zustand des Druckers', zh: '打印机状态' },
    ({ job }) => job.gcodeState || undefined, { type: 'text', choices: JOB_STATES }),
  reported('print.percent', { en: 'the progress of the print', de: 'der Fortschritt des Drucks', zh: '打印进度' }, ({ job }) => job.percent, percent),
  reported('print.minutes_left', { en: 'the time left of the print', de: 'die Restzeit des Drucks', zh: '打印剩余时间' },
    ({ job }) => job.remainingMinutes, { unit: 'min' }),
  reported('print.layer', { en: 'the layer', de: 'die Schicht', zh: '当前层' }, ({ job }) => job.layer),
  reported('bed.celsius', { en: "the bed's temperature", de: 'die Temperatur des Betts', zh: '热床温度' }, ({ heat }) => heat.bed.actual, celsius),
  reported('bed.target', { en: "the bed's target", de: 'das Ziel des Betts', zh: '热床目标温度' }, ({ heat }) => heat.bed.target, celsius),
  reported('nozzle.celsius', { en: "the nozzle's temperature", de: 'die Temperatur der Düse', zh: '喷嘴温度' }, ({ heat }) => heat.nozzle.actual, celsius),
  reported('nozzle.target', { en: "the nozzle's target", de: 'das Ziel der Düse', zh: '喷嘴目标温度' }, ({ heat }) => heat.nozzle.target, celsius),
  reported('chamber.celsius', { en: "the chamber's temperature", de: 'die Temperatur des Bauraums', zh: '腔室温度' },
    ({ heat }) => heat.chamber.sensor ? heat.chamber.actual : undefined, celsius),
  reported('chamber.target', { en: "the chamber's target", de: 'das Ziel des Bauraums', zh: '腔室目标温度' }, ({ heat }) => heat.chamber.target, celsius),
  reported('fan.part', { en: 'the part fan', de: 'der Bauteillüfter', zh: '部件风扇' }, ({ fans }) => fans.part, percent),
  reported('fan.aux', { en: 'the auxiliary fan', de: 'der Hilfslüfter', zh: '辅助风扇' }, ({ fans }) => fans.aux, percent),
  reported('fan.exhaust', { en: 'the exhaust fan', de: 'der Abluftlüfter', zh: '排气风扇' }, ({ fans }) => fans.exhaust, percent),
  reported('light.state', { en: 'the light', de: 'das Licht', zh: '灯' }, ({ lights }) => lights.mode || undefined, { type: 'text', choices: LIGHTS }),
  reported('door.open', { en: 'the door is open', de: 'die Tür ist offen', zh: '门打开' }, ({ doors }) => doors.sensor ? doors.doorOpen : undefined, yes),
  reported('humidity.percent', { en: 'the humidity of the wettest unit', de: 'die Feuchte der feuchtesten Einheit', zh: '最潮湿单元的湿度' }, wettest, percent),
  reported('drying.active', { en: 'a unit is drying', de: 'eine Einheit trocknet', zh: '正在烘干' },
    ({ ams }) => ams.units.some(({ dryer }) => dryer !== undefined && dryer.state !== 'OFF' && dryer.state !== 'ERROR'), yes),
  reported('faults.count', { en: 'the number of faults', de: 'die Zahl der Störungen', zh: '故障数量' },
    ({ errors }) => errors.faults.filter(({ type, ignored }) => type !== 'command_error' && ignored !== true).length),
  defineRuleValue({
    name: 'printer.connected',
    named: { en: 'the printer reports', de: 'der Drucker meldet sich', zh: '打印机在线' },
    type: 'boolean',
    perPrinter: true,
    read (kernel, printer) {
      const session = kernel.printers.get(printer)
      return session !== undefined && hasCurrentState(session)
    },
    watch: ({ printers }, changed) => printers.eachLocal(session => session.events.on('live', () => changed(session.name)))
  })
]
