import type { RouteCases } from './http.cases.data.js'
import type { ToolCases } from './tools.cases.data.js'

// What is asked of cameras, and of what looks through them.

const JPEG_URI = /^data:image\/jpeg;base64,\/9j/
const OPEN = { opened: true, overlay_active: true }
const NO_LOOK: RouteCases['bad'] = [
  { params: { resolution: '4k' }, reason: /^resolution must be one of native, 1080p/ },
  { params: { resolution: '4k', quality: 0 }, reason: /^resolution must be one of native, 1080p/ },
  { params: { quality: 101 }, reason: /quality/ }
]

export const CAMERA_ROUTES: Readonly<Record<string, RouteCases>> = {
  'GET /api/snapshot': {
    good: [
      { params: {}, answer: { data_uri: JPEG_URI, resolution: 'native', quality: 85, width: 320, height: 180 } },
      {
        params: { resolution: '360p', quality: 60, include_status: true },
        answer: { data_uri: JPEG_URI, resolution: '360p', width: 640, height: 360, quality: 60, status: { gcode_state: String } }
      },
      { params: { resolution: 'huge', quality: '007' }, answer: { resolution: 'huge', quality: 7, width: 320 } }
    ],
    bad: ['+85', ' 85', '0000085', '٨٥'].map(quality => ({ params: { quality }, reason: /^quality must be an integer/ })),
    gone: 'no picture'
  },
  'POST /api/start_stream': {
    good: [{ params: {}, answer: { url: /^http:\/\/.+:\d+\/$/ } }, { params: { port: 1 } }],
    gone: 'no picture'
  },
  'GET /api/stream_url': {
    good: [
      { params: {}, models: ['A1_MINI', 'P1S'], answer: { protocol: 'tcp_tls', rtsps_url: null } },
      { params: {}, models: ['X1C', 'H2D'], answer: { protocol: 'rtsps', rtsps_url: /^rtsps:\/\/bblp:\*+@.+\/streaming\/live\/1$/ } }
    ]
  },
  'POST /api/view_stream': {
    good: [{ params: {}, answer: OPEN }, { params: { resolution: '720p', quality: 75 }, answer: { ...OPEN, url: /\/\?resolution=720p&quality=75$/ } }],
    bad: NO_LOOK,
    gone: 'no picture'
  },
  'POST /api/stop_stream': { good: [{ params: {} }] },
  'GET /api/analyze_active_job': {
    good: [
      { params: {}, answer: { verdict: String, job_state_composite_jpg: JPEG_URI } },
      { params: { quality: 'preview', store_reference: true, categories: 'x,c' }, answer: { quality: 'preview', raw_png: /^data:/ } }
    ],
    gone: 'no address'
  }
}

const LOOKS: ToolCases['bad'] = [
  { args: { resolution: '4k', quality: 0 }, error: /^invalid_resolution$/ },
  { args: { quality: 0 }, error: /^invalid_quality$/ },
  { args: { quality: 101 }, error: /^invalid_quality$/ }
]
const NO_PICTURE = /^stream_failed$/

export const CAMERA_TOOLS: Readonly<Record<string, ToolCases>> = {
  get_snapshot: {
    good: [{
      args: { resolution: '720p', quality: 75, include_status: true },
      answer: { url: /\/api\/snapshot\?printer=[\w-]+&resolution=720p&quality=75&include_status=true$/ }
    }],
    bad: LOOKS
  },
  start_stream: { good: [{ args: {}, answer: { url: /^http:\/\/.+:\d+\/$/ } }, { args: { port: 1 } }], gone: NO_PICTURE },
  get_stream_url: {
    good: [
      { args: {}, models: ['A1_MINI', 'P1S'], answer: { protocol: 'tcp_tls', streaming: true } },
      { args: {}, models: ['X1C', 'H2D'], answer: { protocol: 'rtsps' } }
    ]
  },
  view_stream: { good: [{ args: {}, answer: OPEN }], bad: LOOKS, gone: NO_PICTURE },
  stop_stream: { good: [{ args: {}, answer: { name: /-|\w/ } }] },
  analyze_active_job: {
    good: [
      { args: {}, answer: { verdict: String, job_state_composite_jpg: JPEG_URI } },
      { args: { quality: 'preview', categories: ['c', 'X'] }, answer: { quality: 'preview', raw_png: /^data:/ } }
    ],
    gone: /^not_connected$/
  },
  open_job_state: { good: [], bad: [{ args: {}, error: /^no_result$/ }], gone: /^no_result$/ }
}
