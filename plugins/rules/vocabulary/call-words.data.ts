import type { Named } from '../../../core/index.js'

/** How a call reads with what it is given. */
export interface CallWords {
  /** Inputs that must have these values, and are not named again. */
  readonly given?: Readonly<Record<string, unknown>>
  /** Inputs in braces must be there. */
  readonly words: Named
}

/** What is said of calls, the first that fits; inputs that it does not name follow in brackets. */
export const CALL_WORDS: Readonly<Record<string, readonly CallWords[]>> = {
  'climate.setBedTarget': [
    { given: { celsius: 0 }, words: { en: 'switch the heater of the bed off', de: 'die Heizung des Betts ausschalten', zh: '关闭热床加热' } },
    { words: { en: 'set the bed to {celsius}', de: 'das Bett auf {celsius} stellen', zh: '将热床设为{celsius}' } }
  ],
  'climate.setChamberTarget': [
    { given: { celsius: 0 }, words: { en: 'switch the heater of the chamber off', de: 'die Heizung des Bauraums ausschalten', zh: '关闭腔室加热' } },
    { words: { en: 'set the chamber to {celsius}', de: 'den Bauraum auf {celsius} stellen', zh: '将腔室设为{celsius}' } }
  ],
  'climate.setNozzleTarget': [
    { given: { celsius: 0 }, words: { en: 'switch the heater of the nozzle off', de: 'die Heizung der Düse ausschalten', zh: '关闭喷嘴加热' } },
    { words: { en: 'set the nozzle to {celsius}', de: 'die Düse auf {celsius} stellen', zh: '将喷嘴设为{celsius}' } }
  ],
  'climate.setFan': [
    { words: { en: 'set the fan “{fan}” to {percent}', de: 'den Lüfter „{fan}“ auf {percent} stellen', zh: '将风扇“{fan}”设为{percent}' } }
  ],
  'climate.setLight': [
    { given: { on: true }, words: { en: 'switch the light on', de: 'das Licht einschalten', zh: '开灯' } },
    { given: { on: false }, words: { en: 'switch the light off', de: 'das Licht ausschalten', zh: '关灯' } }
  ],
  'energy.turnOff': [{ words: { en: 'switch off the plug {id}', de: 'die Steckdose {id} ausschalten', zh: '关闭插座{id}' } }],
  'energy.turnOn': [{ words: { en: 'switch on the plug {id}', de: 'die Steckdose {id} einschalten', zh: '打开插座{id}' } }],
  'print.setSpeed': [{ words: { en: 'set the speed to “{level}”', de: 'die Geschwindigkeit auf „{level}“ stellen', zh: '将速度设为“{level}”' } }],
  'queue.add': [{ words: { en: 'add “{file}” to the queue', de: '„{file}“ in die Warteschlange stellen', zh: '将“{file}”加入队列' } }],
  'queue.pause': [
    {
      given: { paused: true },
      words: { en: 'pause the queue for {of}, for {minutes}', de: 'die Warteschlange für {of} {minutes} lang anhalten', zh: '暂停{of}的队列{minutes}' }
    },
    { given: { paused: true }, words: { en: 'pause the queue for {minutes}', de: 'die Warteschlange {minutes} lang anhalten', zh: '暂停队列{minutes}' } },
    { given: { paused: true }, words: { en: 'pause the queue for {of}', de: 'die Warteschlange für {of} anhalten', zh: '暂停{of}的队列' } },
    { given: { paused: true }, words: { en: 'pause the queue', de: 'die Warteschlange anhalten', zh: '暂停队列' } }
  ],
  'recording.start': [{ words: { en: 'record for {seconds}', de: '{seconds} lang aufnehmen', zh: '录制{seconds}' } }],
  'spools.assign': [
    { given: { spool: '' }, words: { en: 'forget which spool is in a slot', de: 'vergessen, welche Spule in einem Fach ist', zh: '清除槽位中的料盘记录' } }
  ],
  'spools.change': [{ words: { en: 'change the spool {id}', de: 'die Spule {id} ändern', zh: '更改料盘{id}' } }]
}

/** Values that are numbers on the wire. */
export const VALUE_WORDS: Readonly<Record<string, Readonly<Record<string, Named>>>> = {
  extruder: {
    '-1': { en: 'the one in use', de: 'die benutzte', zh: '使用中的' },
    0: { en: 'right, or the only one', de: 'rechts, oder die einzige', zh: '右侧或唯一' },
    1: { en: 'left', de: 'links', zh: '左侧' }
  }
}

/** Units of inputs, by the last word of their name; times are said in words of their own. */
export const UNITS: Readonly<Record<string, string>> = { celsius: '°C', temp: '°C', percent: '%', g: 'g', hours: 'h' }
/** Inputs that are times, with how many seconds one is. */
export const DURATIONS: Readonly<Record<string, number>> = { seconds: 1, minutes: 60 }
/** Inputs that are ms since the epoch. */
export const MOMENTS: ReadonlySet<string> = new Set(['bought_at', 'dried_at', 'not_before', 'opened_at'])
