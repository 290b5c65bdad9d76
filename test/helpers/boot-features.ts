import type { Test } from 'tap'
import { definePreset, type PluginEntry, type Preset } from '../../core/index.js'
import http from '../../plugins/http/index.js'
import mcp from '../../plugins/mcp/index.js'
import openapi from '../../plugins/openapi/index.js'
import { features } from '../../presets/features.js'
import * as full from './boot.js'

export type { Booted, BootOptions, HttpAnswer, ToolAnswer } from './boot.js'

/** What every application can do with a printer, by HTTP and MCP, and these. */
export const featuresWith = (...plugins: PluginEntry[]): Preset =>
  definePreset({ name: 'features', plugins: [openapi, http, mcp, features, plugins] })

const featuresOnly = featuresWith()

/** For what needs no more of the daemon than that: it starts in half the time. */
export const boot = (t: Test, options: full.BootOptions = {}): Promise<full.Booted> =>
  full.boot(t, { preset: featuresOnly, ...options })
