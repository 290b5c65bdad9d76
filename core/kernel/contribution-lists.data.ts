import type { Contributions } from './types.js'

/** The lists that plugins of the package read. Another plugin may declare one of its own. */
export const CONTRIBUTION_LISTS = {
  alerts: true,
  apps: true,
  charts: true,
  collections: true,
  gauges: true,
  healthDetectors: true,
  healthHistory: true,
  liveTopics: true,
  messageTargets: true,
  migrations: true,
  operations: true,
  pages: true,
  panels: true,
  prompts: true,
  rawTools: true,
  resources: true,
  routes: true,
  socketTopics: true,
  streams: true,
  tools: true
} satisfies Partial<Record<keyof Contributions, true>>
