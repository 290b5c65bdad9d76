/**
 * Scripts of the live page. They stand here as text, so that the service carries them wherever it is installed. The
 * stream is read piece by piece rather than by an image element: only so the page knows when a picture came.
 */
export const PAGE_SCRIPT = String.raw`'use strict'
{
  const STATUS_MS = 2000
  const HEALTH_MS = 8000
  const PLATE_MS = 15000
  const PANELS_MS = 8000
  const ANSWER_MS = 8000
  const AGAIN_MS = 1000
  const NO_PICTURE_MS = 15000
  const STALE_MS = 6000
  const MOST_POINTS = 240
  /** @returns {any} what the page has under that id */
  const $ = id => document.getElementById(id)
  const nap = ms => new Promise(resolve => setTimeout(resolve, ms))
  const put = (element, text) => { if (element.textContent !== text) element.textContent = text }
  const show = (element, on) => { if (element.hasAttribute('hidden') === Boolean(on)) element.toggleAttribute('hidden', !on) }
  const asked = new URLSearchParams(location.search)

  // ---- the picture

  const view = /** @type {Element} */ (document.querySelector('.view'))
  const canvas = $('picture')
  const context = canvas.getContext('2d', { alpha: false })
  let pictureAt = 0
  let trouble = ''
  let problem
  let drawing = false
  let next

  const draw = async bytes => {
    if (document.hidden) return
    if (drawing) { next = bytes; return }
    drawing = true
    try {
      const image = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }))
      if (canvas.width !== image.width || canvas.height !== image.height) {
        canvas.width = image.width
        canvas.height = image.height
      }
      context.drawImage(image, 0, 0)
      image.close()
    } catch {} // a picture that cannot be shown is followed by another one
    drawing = false
    const waiting = next
    next = undefined
    if (waiting) draw(waiting)
  }

  // Heads of parts are short; pictures are filled into place as they come.
  const createParser = onPicture => {
    let head = ''
    let picture
    let filled = 0
    return piece => {
      let at = 0
      while (at < piece.length) {
        if (picture === undefined) {
          head += String.fromCharCode(piece[at++])
          if (head.length > 4000) throw new Error('this is no stream')
          if (!head.endsWith('\r\n\r\n')) continue
          const length = Number(/content-length: *(\d+)/i.exec(head)?.[1])
          if (!(length > 0 && length < 5e7)) throw new Error('this is no stream')
          head = ''
          picture = new Uint8Array(length)
          filled = 0
          continue
        }
        const part = piece.subarray(at, at + picture.length - filled)
        picture.set(part, filled)
        filled += part.length
        at += part.length
        if (filled === picture.length) {
          onPicture(picture)
          picture = undefined
        }
      }
    }
  }

  const streamAddress = () => {
    const look = new URLSearchParams()
    for (const name of ['resolution', 'quality']) if (asked.has(name)) look.set(name, asked.get(name) ?? '')
    return 'stream' + (look.size > 0 ? '?' + look : '')
  }

  const readStream = async () => {
    const controller = new AbortController()
    let timer
    const expect = () => { clearTimeout(timer); timer = setTimeout(() => controller.abort(), NO_PICTURE_MS) }
    expect()
    try {
      const response = await fetch(streamAddress(), { cache: 'no-store', signal: controller.signal })
      if (!response.ok) {
        const { reason, detail } = await response.json().catch(() => ({}))
        throw new Error(detail || reason || 'HTTP ' + response.status)
      }
      const parse = createParser(bytes => {
        pictureAt = performance.now()
        trouble = ''
        expect()
        draw(bytes)
      })
      const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader()
      for (;;) {
        const { done, value } = await reader.read()
        if (done) return
        parse(value)
      }
    } finally {
      clearTimeout(timer)
      controller.abort()
    }
  }

  const watch = async () => {
    for (;;) {
      try {
        await readStream()
        trouble = 'The stream was interrupted.'
      } catch (error) {
        trouble = error.name === 'TypeError' ? 'The stream server does not answer. It may have been stopped.'
          : error.name === 'AbortError' ? 'No picture comes from the camera.' : error.message
      }
      await nap(AGAIN_MS)
    }
  }

  const noteStale = () => {
    const age = performance.now() - pictureAt
    const stale = pictureAt === 0 || age > STALE_MS
    view.classList.toggle('stale', stale && pictureAt !== 0)
    show($('notice'), stale)
    if (!stale) return
    const why = problem || trouble
    put($('notice'), why ? why + ' Trying again …' : pictureAt === 0 ? 'Connecting to the camera …' : 'Waiting for the next picture …')
  }

  // ---- the numbers

  const STATES = { RUNNING: 'green', PREPARE: 'blue', PAUSE: 'amber', FAILED: 'red', FINISH: 'cyan' }
  const SPEEDS = ['', 'QUIET', 'STANDARD', 'SPORT', 'LUDICROUS']
  const QUIET_STAGES = ['', 'Printing', 'Printing normally', 'Completed']
  const minutes = value => value >= 60 ? Math.floor(value / 60) + 'h ' + value % 60 + 'm' : value + 'm'
  const elapsed = new Map()

  const row = (name, text, kind) => {
    const div = document.createElement('div')
    const dt = document.createElement('dt')
    const dd = document.createElement('dd')
    dt.textContent = name
    dd.textContent = text
    if (kind) dd.className = kind
    div.append(dt, dd)
    return div
  }

  const heat = (name, actual, target) => {
    const off = Math.abs(target - actual)
    const kind = target <= 0 ? 'idle' : off <= 5 ? 'ok' : off <= 40 ? 'warm' : ''
    return row(name, actual.toFixed(1) + '°C' + (target > 0 ? ' / ' + target + '°C' : ''), kind + (target > 0 && target - actual > 10 ? ' pulse' : ''))
  }

  const fill = (id, rows) => {
    const list = $(id)
    show(list.closest('section'), rows.length > 0)
    list.replaceChildren(...rows)
  }

  const line = (points, width, height, least, most) => {
    const step = points.length > 1 ? width / (points.length - 1) : 0
    let pen = 'M'
    return points.map((value, at) => {
      if (value === null || value === undefined) { pen = 'M'; return '' }
      const y = height - (Math.min(most, Math.max(least, value)) - least) / (most - least) * (height - 2) - 1
      const text = pen + (at * step).toFixed(1) + ' ' + y.toFixed(1)
      pen = 'L'
      return text
    }).join('')
  }

  const showSpeed = ({ fps, fps_cap: cap, fps_history: history }) => {
    const stale = pictureAt === 0 || performance.now() - pictureAt > NO_PICTURE_MS
    const shown = stale ? 0 : fps
    put($('fps'), String(shown))
    $('fps').parentElement.className = 'fps ' + (shown >= cap * 0.8 ? 'high' : shown >= cap * 0.4 ? 'mid' : 'low')
    $('fps-line').firstElementChild.setAttribute('d', line(history, 60, 16, 0, cap))
  }

  const showWifi = signal => {
    const dbm = parseInt(signal, 10)
    show($('wifi'), Number.isFinite(dbm) && dbm < 0)
    const level = dbm >= -50 ? 4 : dbm >= -60 ? 3 : dbm >= -70 ? 2 : dbm >= -80 ? 1 : 0
    const [...bars] = $('wifi').querySelectorAll('i')
    bars.forEach((bar, at) => bar.classList.toggle('on', at < level))
    put($('wifi').lastElementChild, dbm + ' dBm')
  }

  const showErrors = errors => {
    show($('errors'), errors.length > 0)
    $('errors').classList.toggle('mild', !errors.some(error => error.is_critical))
    const list = $('error-list')
    const key = JSON.stringify(errors)
    if (list.dataset.key === key) return
    list.dataset.key = key
    list.replaceChildren(...errors.map(({ code, msg, url }) => {
      const item = document.createElement('li')
      const text = (code ? code + ' ' : '') + msg
      if (!/^https?:\/\//.test(url)) { item.textContent = text; return item }
      const link = document.createElement('a')
      link.textContent = text
      link.href = url
      link.rel = 'noreferrer noopener'
      link.target = '_blank'
      link.addEventListener('click', event => {
        if (window.open(url, '_blank', 'width=600,height=400,noopener')) event.preventDefault()
      })
      item.append(link)
      return item
    }))
  }

  const showFilament = (filament, active) => {
    show($('filament'), Boolean(active && filament))
    if (!filament) return
    put($('material'), filament.type)
    put($('left'), filament.remaining_pct >= 0 ? filament.remaining_pct + ' % left' : '')
    const color = filament.color.replace(/^(#[0-9a-f]{6})[0-9a-f]{2}$/i, '$1')
    $('swatch').style.backgroundColor = /^(#[0-9a-f]{6}|[a-z]{3,20})$/i.test(color) ? color : '#888'
  }

  const showJob = (status, active) => {
    const { gcode_state: state, subtask_name: name, stage_name: stage } = status
    const known = active || state === 'FINISH'
    put($('job-name'), known && name ? name : state === 'IDLE' || !state ? 'No job' : name || 'No job')
    show($('stage'), Boolean(stage) && !QUIET_STAGES.includes(stage))
    put($('stage'), stage || '')
    const percent = active ? status.print_percentage : 0
    $('bar').firstElementChild.style.transform = 'scaleX(' + percent / 100 + ')'
    $('bar').setAttribute('aria-valuenow', String(percent))
    put($('percent'), active ? percent + ' %' : '–')
    put($('layer'), known && status.total_layers > 0 ? status.current_layer + ' / ' + status.total_layers : '–')
    if (state === 'IDLE' || state === 'PREPARE') elapsed.clear()
    else if (status.elapsed_minutes > 0) elapsed.set(name, status.elapsed_minutes)
    put($('elapsed'), elapsed.has(name) ? minutes(elapsed.get(name)) : '–')
    put($('remaining'), active && status.remaining_minutes > 0 ? minutes(status.remaining_minutes) : '–')
  }

  const showTemperatures = status => {
    const { nozzles } = status
    const names = nozzles.length > 1 ? { 0: 'Right nozzle', 1: 'Left nozzle' } : {}
    const rows = [...nozzles].sort((a, b) => b.id - a.id).map(({ id, temp, target }) => heat(names[id] || 'Nozzle', temp, target))
    rows.push(heat('Bed', status.bed_temp, status.bed_temp_target))
    const { chamber_temp: chamber, chamber_temp_target: wanted } = status
    if (chamber > 0 || wanted > 0) rows.push(heat('Chamber', chamber, wanted))
    fill('temperature-rows', rows)
  }

  const FANS = [['part_cooling_pct', 'Part'], ['aux_pct', 'Aux'], ['exhaust_pct', 'Exhaust'], ['heatbreak_pct', 'Heatbreak']]

  const showWarnings = ({ is_chamber_door_open: door, is_chamber_lid_open: lid, ams_humidity_index: humidity }) => {
    show($('door'), Boolean(door || lid))
    put($('door'), [door && 'DOOR', lid && 'LID'].filter(Boolean).join(' + ') + ' OPEN')
    show($('humid'), humidity === 1 || humidity === 2)
    put($('humid'), 'Humid ' + humidity + '/5')
    $('humid').className = 'chip ' + (humidity === 1 ? 'red' : 'amber')
  }

  const showStatus = status => {
    showSpeed(status)
    problem = status.camera_problem
    noteStale()
    const { gcode_state: state } = status
    put($('state'), status.cancelled ? 'CANCELLED' : state || 'NO DATA')
    $('state').className = 'badge ' + (status.cancelled ? '' : STATES[state] || '')
    if (state === undefined) return
    const active = state === 'RUNNING' || state === 'PREPARE' || state === 'PAUSE'
    show($('speed'), active && status.speed_level > 0)
    put($('speed'), SPEEDS[status.speed_level] || '')
    showWifi(status.wifi_signal)
    showWarnings(status)
    showErrors(status.hms_errors)
    showJob(status, active)
    showTemperatures(status)
    fill('fan-rows', FANS.filter(([key]) => status[key] > 0).map(([key, name]) => row(name, status[key] + ' %')))
    showFilament(status.active_filament, active)
    noteHistory(status)
    foldHealth(state)
  }

  // ---- health

  const history = { success: [], confidence: [], nozzle: [], bed: [] }
  const RANGES = { success: [0, 1], confidence: [0, 1], nozzle: [0, 310], bed: [0, 120] }
  const SHARES = { success: true, confidence: true }
  let historyOf = ''
  let result
  let foldedFor = ''

  const remember = (name, value) => {
    const points = history[name]
    points.push(value ?? null)
    if (points.length > MOST_POINTS) points.shift()
    $('spark-' + name).firstElementChild.setAttribute('d', line(points, 100, 24, ...RANGES[name]))
    const text = value === null || value === undefined ? '–' : SHARES[name] ? Math.round(value * 100) + ' %' : Math.round(value) + '°'
    put($('spark-' + name + '-now'), text)
  }

  const noteHistory = ({ subtask_name: name, nozzles, bed_temp: bed }) => {
    if (name && name !== historyOf) {
      historyOf = name
      for (const points of Object.values(history)) points.length = 0
    }
    remember('nozzle', nozzles[0]?.temp)
    remember('bed', bed)
  }

  // It opens where it matters and folds elsewhere; who folds it himself has his way until the state changes.
  const foldHealth = state => {
    if (state === foldedFor) return
    foldedFor = state
    $('health').open = ['RUNNING', 'PAUSE', 'FAILED', 'FINISH'].includes(state)
  }

  const fixed = (value, digits, unit) => typeof value === 'number' ? value.toFixed(digits) + unit : '–'

  const compositeOf = ({ success_probability: chance, decision_confidence: confidence }) =>
    typeof chance !== 'number' ? undefined : typeof confidence === 'number' ? chance * confidence : chance

  const verdictOf = (result, composite) => {
    if (!result || result.stage_gated || composite === undefined) return ['STANDBY', '']
    const word = result.stable_verdict || result.verdict || (composite >= 0.7 ? 'clean' : composite >= 0.5 ? 'warning' : 'critical')
    const kinds = { clean: 'green', warning: 'amber', critical: 'red' }
    return [word.toUpperCase(), kinds[word] || '']
  }

  const drawRadar = factors => {
    const names = Object.keys(factors || {})
    show($('radar'), names.length > 2)
    if (names.length <= 2) return
    const point = (at, radius) => {
      const angle = at / names.length * 2 * Math.PI - Math.PI / 2
      return [Math.cos(angle) * radius, Math.sin(angle) * radius]
    }
    const ring = radius => names.map((_, at) => point(at, typeof radius === 'function' ? radius(at) : radius).map(value => value.toFixed(1)).join(',')).join(' ')
    const make = (tag, attributes, text) => {
      const element = document.createElementNS('http://www.w3.org/2000/svg', tag)
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
      if (text) element.textContent = text
      return element
    }
    $('radar').replaceChildren(
      ...[20, 40, 60].map(radius => make('polygon', { class: 'web', points: ring(radius) })),
      make('polygon', { class: 'shape', points: ring(at => 60 * Math.min(1, Math.max(0.02, Number(factors[names[at]]) || 0))) }),
      ...names.map((name, at) => {
        const [x, y] = point(at, 67)
        return make('text', { x: x.toFixed(1), y: (y + 3).toFixed(1), 'text-anchor': Math.abs(x) < 8 ? 'middle' : x > 0 ? 'start' : 'end' }, name)
      })
    )
  }

  const showHealth = () => {
    const composite = result && compositeOf(result)
    const [word, kind] = verdictOf(result, composite)
    const building = kind !== '' && result.decision_confidence < 0.4
    put($('verdict'), word + (building ? ' (building)' : ''))
    $('verdict').className = 'badge ' + kind
    const shown = kind === '' ? 0 : composite
    $('health-bar').firstElementChild.style.transform = 'scaleX(' + shown + ')'
    put($('composite'), kind === '' ? '–' : Math.round(composite * 100) + ' %')
    put($('hot'), typeof result?.hot_pct === 'number' ? fixed(result.hot_pct * 100, 1, ' %') : '–')
    put($('strand'), fixed(result?.strand_score, 4, ''))
    put($('diff'), fixed(result?.diff_score, 4, ''))
    put($('health-layer'), result?.total_layers > 0 ? result.layer + ' / ' + result.total_layers : '–')
    const air = result?.ams_humidity
    put($('health-ams'), !(air > 0) ? '–' : air <= 2 ? 'WET' : air === 3 ? 'Damp' : 'Dry')
    drawRadar(kind === '' ? undefined : result.factor_contributions)
  }

  // ---- asking

  const ask = async path => {
    const response = await fetch(path, { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_MS) })
    if (!response.ok) throw new Error('HTTP ' + response.status)
    return response
  }

  /** @param {number} ms @param {() => unknown} work @param {(error: any) => void} [failed] */
  const every = (ms, work, failed = () => {}) => {
    const turn = async () => {
      try { if (!document.hidden) await work() } catch (error) { failed(error) }
      setTimeout(turn, ms)
    }
    turn()
  }

  const askHealth = async () => {
    const response = await ask('job_state?absent=204')
    const before = result?.timestamp
    result = response.status === 204 ? undefined : await response.json()
    showHealth()
    if (!result || result.timestamp === before) return
    remember('success', result.success_probability)
    remember('confidence', result.decision_confidence)
  }

  const picture = async id => {
    const response = await ask(id + '?absent=204&t=' + Date.now())
    const image = $(id)
    if (image.src) URL.revokeObjectURL(image.src)
    if (response.status === 204) image.removeAttribute('src')
    else image.src = URL.createObjectURL(await response.blob())
    show(image, image.hasAttribute('src'))
    show($('plate'), $('thumbnail').hasAttribute('src') || $('layout').hasAttribute('src'))
  }

  const askPanels = async () => {
    const panels = await (await ask('panels')).json()
    const known = new Map([...$('more').children].map(element => [element.id, element]))
    $('more').replaceChildren(...panels.map(({ id, title, html }) => {
      const element = known.get('panel-' + id) || document.createElement('section')
      if (element.dataset.html === html) return element
      element.id = 'panel-' + id
      element.className = 'panel'
      element.dataset.html = html
      const heading = document.createElement('h2')
      heading.textContent = title
      const body = new DOMParser().parseFromString(html, 'text/html').body
      element.replaceChildren(heading, ...body.childNodes)
      return element
    }))
  }

  watch()
  setInterval(() => { if (!document.hidden) noteStale() }, 500)
  every(STATUS_MS, async () => showStatus(await (await ask('status')).json()), () => { problem = undefined; noteStale() })
  every(HEALTH_MS, askHealth)
  every(PLATE_MS, async () => { await picture('thumbnail'); await picture('layout') })
  every(PANELS_MS, askPanels)
}
`

/** Opens the page in a window of the name it was given; where windows are blocked, in this one. */
export const PORTAL_SCRIPT = String.raw`'use strict'
{
  const asked = new URLSearchParams(location.search)
  const name = asked.get('name') || 'prn'
  asked.delete('name')
  const page = new URL('.' + (asked.size > 0 ? '?' + asked : ''), location.href).href
  const link = /** @type {HTMLAnchorElement} */ (document.getElementById('go'))
  link.href = page
  const opened = window.open(page, name)
  if (opened) {
    opened.focus()
    setTimeout(() => window.close(), 150)
  } else {
    location.replace(page)
  }
}
`
