import { definePage } from '../../core/index.js'
import { readBroker } from './operations.js'
import { texts } from './texts/index.js'

/** The broker through which Home Assistant sees the printers. */
export const homeassistantPage = definePage({
  id: 'homeassistant',
  path: '/homeassistant',
  icon: 'M3 11.5 12 4l9 7.5 M5.5 9.5V20h13V9.5 M12 20v-6 M9 14.5h.2 M15 14.5h.2 M12 11v.2',
  order: 35,
  within: 'settings',
  texts,
  operation: readBroker,
  content: { files: 'homeassistant' }
})
