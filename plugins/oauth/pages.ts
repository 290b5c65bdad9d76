import { definePage } from '../../core/index.js'
import { listGrants } from './operations.js'
import { ENDPOINTS } from './metadata.js'
import { texts } from './texts/index.js'

/** Where a program sends a person who is asked for consent. No other page may show it in a frame. */
export const consentPage = definePage({
  id: 'consent',
  path: ENDPOINTS.authorize,
  icon: 'people',
  order: 96,
  unlisted: true,
  texts,
  content: {
    files: 'oauth', html: 'consent.html', script: 'consent.js', allow: { 'frame-ancestors': ["'none'"] }
  }
})

/** Programs that users connected. */
export const grantsPage = definePage({
  id: 'grants',
  path: '/grants',
  icon: 'M10 14l4-4 M8.5 11.5l-2 2a3 3 0 0 0 4.2 4.2l2-2 M15.5 12.5l2-2a3 3 0 0 0-4.2-4.2l-2 2',
  order: 82,
  within: 'settings',
  texts,
  operation: listGrants,
  content: { files: 'oauth', html: 'grants.html', script: 'grants.js' }
})
