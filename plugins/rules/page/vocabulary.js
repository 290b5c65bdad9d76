// What rules can be made of, as the service lists it, in the shape that the editor needs. Pure.

/**
 * @typedef {{ value: string | number | boolean, words: string }} Choice
 * @typedef {{ name: string, words: string, type: string, unit: string, choices: Choice[] }} Field
 * @typedef {Field & { path: readonly string[], required: boolean, minimum?: number, maximum?: number, initial?: any,
 *   hint: string, longest?: number }} Input
 * @typedef {{ name: string, words: string, group: string, perPrinter: boolean, fields: Field[] }} RuleEvent
 * @typedef {{ name: string, words: string, group: string, perPrinter: boolean, type: string, unit: string,
 *   choices: Choice[] }} RuleValue
 * @typedef {{ name: string, words: string, group: string, perPrinter: boolean, effect: string, consequence: string,
 *   inputs: Input[] }} RuleOperation
 */

/** Objects in objects in objects are typed as JSON. */
const DEEPEST = 1

const groupOf = name => name.split('.')[0]

/** Units of inputs, by the last word of their name. @type {Record<string, string>} */
const UNITS = {
  celsius: '°C',
  c: '°C',
  temperature: '°C',
  temp: '°C',
  percent: '%',
  minutes: 'min',
  min: 'min',
  hours: 'h',
  seconds: 's',
  s: 's',
  g: 'g',
  grams: 'g',
  mm: 'mm',
  watts: 'W'
}
const unitOf = name => UNITS[name.replaceAll(/([A-Z])/g, '_$1').toLowerCase().split('_').at(-1) ?? ''] ?? ''

/** @param {string} name such as `bed_temp` or `bedTemp` */
export const plainName = name => name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' ').toLowerCase()

/** The values that a schema allows. @param {any} schema @returns {(string | number)[]} */
function allowed (schema) {
  if (Array.isArray(schema.enum)) return schema.enum
  const branches = schema.anyOf ?? schema.oneOf ?? []
  const values = branches.flatMap(branch => branch.const === undefined ? branch.enum ?? [] : [branch.const])
  return branches.length > 0 && values.length >= branches.length ? values : []
}

/** The part of a schema that says what a value looks like: null is left out. @param {any} schema */
const solid = schema => {
  const branches = (schema.anyOf ?? []).filter(({ type }) => type !== 'null')
  return branches.length === 1 ? { ...schema, ...branches[0], anyOf: undefined } : schema
}

function typeOf (schema, choices) {
  if (choices.length > 0) return 'choice'
  if (schema.type === 'object' && schema.properties !== undefined) return 'object'
  if (schema.type === 'array') return ['string', 'number', 'integer'].includes(solid(schema.items ?? {}).type) ? 'list' : 'json'
  return { number: 'number', integer: 'integer', boolean: 'boolean', string: 'text' }[schema.type] ?? 'json'
}

/**
 * @param {string} name @param {any} given @param {boolean} required
 * @param {(name: string, otherwise: string) => string} words @param {(value: string) => string} choiceWords
 */
function inputOf (name, given, required, words, choiceWords) {
  const schema = { ...given['x-openapi'], ...solid(given) }
  const choices = allowed(schema).map(value => ({ value, words: choiceWords(String(value)) }))
  return {
    name,
    words: words(name, plainName(name)),
    type: typeOf(schema, choices),
    unit: schema.unit ?? unitOf(name),
    choices,
    required,
    minimum: schema.minimum,
    maximum: schema.maximum,
    longest: schema.maxLength,
    initial: schema.default,
    hint: schema.description ?? ''
  }
}

/**
 * The inputs that a schema describes; members of one that is an object follow it, with the path to them.
 * @param {any} schema of an object @param {(name: string, otherwise: string) => string} words
 * @param {(value: string) => string} choiceWords @param {readonly string[]} [within] @returns {Input[]}
 */
export function inputsOf (schema, words, choiceWords, within = []) {
  const { properties = {}, required = [] } = schema
  return Object.entries(properties).flatMap(([name, part]) => {
    const path = [...within, name]
    const own = { ...inputOf(name, part, required.includes(name), words, choiceWords), path }
    return own.type === 'object' && within.length < DEEPEST ? [own, ...inputsOf(part, words, choiceWords, path)] : [own]
  })
}

/** @param {readonly string[]} given @param {(value: string) => string} choiceWords */
const choicesOf = (given, choiceWords) => given.map(value => ({ value, words: choiceWords(value) }))

/** What inputs name, where the page knows all of them: printers, and plugs. */
function withNames (inputs, operation, { printers, plugs }) {
  const names = {
    printer: printers.map(value => ({ value, words: value })),
    plug: plugs.map(({ id, name }) => ({ value: id, words: name }))
  }
  const kindOf = name => name === 'printer' ? 'printer' : name === 'id' && operation.startsWith('energy.') ? 'plug' : undefined
  return inputs.map(one => {
    const choices = names[kindOf(one.name) ?? ''] ?? []
    return choices.length > 0 && one.type === 'text' ? { ...one, type: 'choice', choices } : one
  })
}

/** @param {any[]} list @param {(one: any) => any} view */
const byName = (list, view) =>
  new Map(list.map(one => [one.name, { name: one.name, group: groupOf(one.name), ...view(one) }]))

/**
 * @param {any} body of `GET /api/rules/vocabulary`
 * @param {{ input: (operation: string) => (name: string, otherwise: string) => string, choice: (value: string) =>
 *   string }} texts
 * @param {{ id: string, name: string, printer: string }[]} [plugs] empty `printer`: it stands alone
 */
export function vocabularyOf (body, { input, choice }, plugs = []) {
  const field = one => ({ name: one.name, words: one.words, type: one.type, unit: '', choices: choicesOf(one.choices, choice) })
  return {
    /** @type {Map<string, RuleEvent>} */
    events: byName(body.events, one => ({
      words: one.words, perPrinter: one.per_printer, fields: one.fields.map(field)
    })),
    /** @type {Map<string, RuleValue>} */
    values: byName(body.values, one => ({
      words: one.words,
      perPrinter: one.per_printer,
      type: one.type,
      unit: one.unit,
      choices: choicesOf(one.choices, choice)
    })),
    /** @type {Map<string, RuleOperation>} */
    operations: byName(body.operations, one => ({
      words: one.words,
      perPrinter: one.per_printer,
      effect: one.effect,
      consequence: one.consequence,
      inputs: withNames(inputsOf(one.input, input(one.name), choice), one.name, { printers: body.printers, plugs })
    })),
    /** Kinds that are available: the sun's only where the service knows its place. @type {Set<string>} */
    triggers: new Set(body.triggers.filter(({ available }) => available).map(({ kind }) => kind)),
    /** @type {string[]} */
    printers: body.printers,
    plugs
  }
}

/** @typedef {ReturnType<typeof vocabularyOf>} Vocabulary */

/**
 * All names in a rule: events, values, operations.
 * @param {any} rule
 * @returns {{ events: string[], values: string[], operations: string[], triggers: string[] }}
 */
export function namesIn (rule) {
  const values = new Set()
  const visit = condition => {
    if (condition.value !== undefined) values.add(condition.value)
    for (const inner of [...condition.any ?? [], ...condition.not ? [condition.not] : []]) visit(inner)
  }
  for (const trigger of rule.when) if (trigger.kind === 'state') values.add(trigger.value)
  for (const condition of [...rule.if, ...rule.then.flatMap(step => step.if ?? [])]) visit(condition)
  return {
    events: rule.when.filter(({ kind }) => kind === 'event').map(({ event }) => event),
    values: /** @type {string[]} */ ([...values]),
    operations: rule.then.filter(({ kind }) => kind === 'call').map(({ operation }) => operation),
    triggers: rule.when.map(({ kind }) => kind)
  }
}

/** Whether all words of a rule are known here. @param {any} rule @param {Vocabulary} vocabulary */
export function isUsable (rule, vocabulary) {
  const names = namesIn(rule)
  const { events, values, operations, triggers } = vocabulary
  return names.events.every(name => events.has(name)) && names.values.every(name => values.has(name)) &&
    names.operations.every(name => operations.has(name)) && names.triggers.every(kind => triggers.has(kind))
}
