package jq
import ("testing";"context";"fmt";"os";"strings";"time";"runtime")
func TestTry(t *testing.T){
 b,_:=os.ReadFile("/tmp/try.txt")
 in,_:=NewInput(map[string]any{"a":[]any{1,2,3},"s":"héllo wörld","o":map[string]any{"x":1,"y":2.5},"n":nil, "big": strings.Repeat("x", 1<<20), "l": func() []any{ r:=make([]any,1000); for i:=range r {r[i]=i}; return r}()})
 for _,line:=range strings.Split(strings.TrimSpace(string(b)),"\n"){
  if line=="" {continue}
  p,err:=Compile(line)
  if err!=nil { e:=err.(*Error); fmt.Printf("%-40.60s %s [%d:%d %.50q] %s | %s\n",line,e.Kind,e.Start,e.End,line[e.Start:e.End],e.Message,e.Help); continue}
  start:=time.Now()
  var m0,m1 runtime.MemStats; runtime.ReadMemStats(&m0)
  r,err:=p.Run(context.Background(),in)
  runtime.ReadMemStats(&m1)
  out:=fmt.Sprint(r); if len(out)>80 {out=out[:80]}
  es:=""; if err!=nil {es=err.(*Error).Kind.String()+": "+err.(*Error).Message}
  base,ok:=p.Base()
  fmt.Printf("%-40.60s %s err=%s  (%v, alloc %dMB) base=%v %v bases=%v assign=%v\n",line,out,es,time.Since(start).Round(time.Microsecond), (m1.TotalAlloc-m0.TotalAlloc)>>20, base,ok,p.Bases(),p.Assignable())
 }
}
