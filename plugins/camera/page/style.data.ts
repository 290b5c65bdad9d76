/** Style sheet of the live page: a wall screen shows the picture with panels beside it, a phone one below the other. */
export const PAGE_STYLE = `
:root{color-scheme:dark;--ink:#e8ecf1;--dim:#93a0b0;--ground:#05070a;--panel:#10151ce6;--line:#ffffff1f;--ok:#60d080;--info:#80a0ff;--warm:#ffcc40;--hot:#ff9040;--bad:#ff6b6b;--cyan:#5fd4e0}
*{box-sizing:border-box}
[hidden]{display:none!important}
html,body{height:100%}
body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.4 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;font-variant-numeric:tabular-nums;display:flex;flex-direction:column}
header{display:flex;flex-wrap:wrap;align-items:center;gap:.4rem .75rem;padding:.5rem .9rem;background:#0b0f14;border-bottom:1px solid var(--line)}
h1{margin:0;font-size:1.05rem;font-weight:600;overflow-wrap:anywhere}
.space{flex:1}
.badge,.chip{padding:.1rem .6rem;border-radius:1rem;font-size:.8rem;letter-spacing:.04em;background:#2a313b;color:#c9d2dc;white-space:nowrap}
.badge{font-weight:700}
.green{background:#123d22;color:#7fe39b}.blue{background:#16294d;color:#9dbaff}.amber{background:#4a3a0c;color:#ffd766}
.red{background:#521a1f;color:#ff9a9a}.cyan{background:#0d3d44;color:#7fe3ee}.alarm{background:#7a1820;color:#fff;font-weight:700}
.fps{color:var(--dim);display:inline-flex;align-items:center;gap:.35rem;white-space:nowrap}
.fps svg{width:60px;height:16px}.fps path{fill:none;stroke:currentColor;stroke-width:1.2;vector-effect:non-scaling-stroke}
.fps.high{color:var(--ok)}.fps.mid{color:var(--warm)}.fps.low{color:var(--bad)}
.wifi{display:inline-flex;align-items:flex-end;gap:2px;color:var(--dim);white-space:nowrap}
.wifi i{width:4px;background:#3a4552;border-radius:1px}.wifi i:nth-child(1){height:5px}.wifi i:nth-child(2){height:8px}.wifi i:nth-child(3){height:11px}.wifi i:nth-child(4){height:14px}
.wifi i.on{background:var(--ok)}.wifi span{margin-left:.3rem;font-size:.85rem}
main{flex:1;min-height:0;display:grid;grid-template-columns:minmax(0,1fr) clamp(17rem,24vw,26rem)}
.view{position:relative;min-height:0;background:#000;display:grid;place-items:center;overflow:hidden}
canvas{width:100%;height:100%;object-fit:contain;transition:opacity .4s}
.view.stale canvas{opacity:.35}
#notice{position:absolute;inset:auto 1rem auto 1rem;top:50%;transform:translateY(-50%);margin:0 auto;max-width:34rem;padding:.8rem 1.1rem;border-radius:.7rem;background:#0b0f14e6;border:1px solid var(--line);text-align:center;text-wrap:balance;overflow-wrap:anywhere}
aside{overflow-y:auto;padding:.75rem;display:flex;flex-direction:column;gap:.65rem;background:#0a0d12;border-left:1px solid var(--line)}
.panel{background:var(--panel);border:1px solid var(--line);border-radius:.7rem;padding:.6rem .8rem;min-width:0}
h2,summary span{margin:0 0 .4rem;font-size:.75rem;font-weight:600;letter-spacing:.08em;text-transform:uppercase;color:var(--dim)}
.job-name{margin:0;font-weight:600;overflow-wrap:anywhere}.stage{margin:.1rem 0 0;color:var(--info)}
.bar{height:.45rem;border-radius:1rem;background:#ffffff1a;overflow:hidden;margin:.5rem 0}
.bar i{display:block;height:100%;width:100%;border-radius:inherit;background:var(--ok);transform:scaleX(0);transform-origin:left;transition:transform .6s}
dl,dd,dt,figure,ul{margin:0;padding:0}
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(4.2rem,1fr));gap:.35rem .5rem}
dt{color:var(--dim);font-size:.8rem}dd{font-weight:600}
.rows{display:grid;gap:.2rem}.rows div{display:flex;justify-content:space-between;gap:1rem}.rows dt{font-size:.92rem}
.idle{color:var(--dim)}.ok{color:var(--ok)}.warm{color:var(--hot)}
.pulse{animation:pulse 1.6s ease-in-out infinite}
@keyframes pulse{50%{opacity:.5}}
.filament{margin:0;display:flex;align-items:center;gap:.5rem}.filament span{color:var(--dim)}
.swatch{width:1.3rem;height:1.3rem;border-radius:50%;border:2px solid #ffffff66;background:#888}
#errors{border-color:#ff6b6b88}#errors h2{color:var(--bad)}#errors.mild{border-color:var(--line)}#errors.mild h2{color:inherit}
ul{list-style:none;display:grid;gap:.4rem}a{color:#9dc4ff}
.plates{display:flex;gap:.5rem}.plates img{flex:1 1 0;min-width:0;max-width:100%;max-height:9rem;object-fit:contain;border-radius:.4rem;background:#0006}
summary{cursor:pointer;display:flex;align-items:center;justify-content:space-between}summary span{margin:0}
summary::marker{content:''}summary::-webkit-details-marker{display:none}
details[open] summary{margin-bottom:.4rem}
.sparks{display:grid;grid-template-columns:1fr 1fr;gap:.4rem .8rem;margin-top:.5rem}
figcaption{display:flex;justify-content:space-between;color:var(--dim);font-size:.78rem}figcaption b{color:var(--ink)}
.sparks svg{display:block;width:100%;height:24px}
.sparks path{fill:none;stroke-width:1.5;vector-effect:non-scaling-stroke}
#spark-success path{stroke:var(--ok)}#spark-confidence path{stroke:var(--info);stroke-dasharray:4 3}#spark-nozzle path{stroke:var(--hot)}#spark-bed path{stroke:var(--info)}
#radar{width:100%;margin-top:.5rem}.web{fill:none;stroke:#ffffff24}.shape{fill:#f0c04055;stroke:#f0c040;stroke-width:1.5}#radar text{fill:var(--dim);font-size:9px}
#more{display:contents}
.portal{display:grid;place-items:center}
:focus-visible{outline:2px solid #9dc4ff;outline-offset:2px}
@media(max-width:52rem){
  html,body{height:auto}
  header{position:sticky;top:0;z-index:1}
  main{display:block}
  .view{aspect-ratio:16/9}
  aside{border:0;overflow:visible;padding:.6rem}
}
@media(min-width:110rem){body{font-size:18px}}
@media(prefers-reduced-motion:reduce){.pulse{animation:none}canvas,.bar i{transition:none}}
`.trim()
