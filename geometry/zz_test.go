package geometry_test
import ("testing";"github.com/bsp2gltf/bsp2gltf/geometry";"github.com/bsp2gltf/bsp2gltf/world";"fmt")
func TestZZ(t *testing.T){
 issues:=map[string]int{}
 var c02,c1,c4,pts int
 eachMap(t, func(name string,w *world.World){
  meshes,_:=geometry.Build(t.Context(),w,byError)
  var of []geometry.Mesh; var pp []*world.Patch
  for i,m:=range w.Models{ for j,s:=range m.Surfaces{
    for _,is:=range meshes[i][j].Issues{ issues[fmt.Sprintf("%s %T",is.Code,s.Shape)]++; if issues[is.Code+is.Detail]==0 && len(issues)<30 {issues[is.Code+is.Detail]++; t.Log(name,is)} }
    if p,ok:=s.Shape.(*world.Patch);ok{of=append(of,meshes[i][j]);pp=append(pp,p)}}}
  a,b:=gaps(of,0.02); pts+=a; c02+=b
  _,b=gaps(of,1); c1+=b
  _,b=gaps(of,4); c4+=b
  if name=="wrackdm17.bsp"||name=="oacmpdm6.bsp"||name=="am_thornish.bsp"||name=="oacmpdm8.bsp" { explain(t,of,pp) }
 })
 t.Log(issues); t.Log(pts,c02,c1,c4)
}
func explain(t *testing.T, meshes []geometry.Mesh, pp []*world.Patch){
 n:=0
 for i,m:=range meshes{ for _,e:=range border(m){ q:=wide(e[0])
  for j,o:=range meshes{ if i==j{continue}; own:=false; var hit [2][3]float32; var d,al,L float64
   for _,f:=range border(o){ if f[0]==e[0]||f[1]==e[0]{own=true}
     line:=minus(wide(f[1]),wide(f[0])); along:=dot(minus(q,wide(f[0])),line)/dot(line,line)
     foot:=[3]float64{}; for k:=range 3{foot[k]=float64(f[0][k])+line[k]*along}
     if along>0&&along<1&&distance(foot,q)<=.1&&distance(q,wide(f[0]))>.1&&distance(q,wide(f[1]))>.1{hit=f;d=distance(foot,q);al=along;L=distance(wide(f[0]),wide(f[1]))} }
   if !own&&L>0&&n<8{n++; t.Logf("point %v of %d on %v of %d: off %.4f along %.3f of %.2f", e[0],i,hit,j,d,al,L)
     if n<=2 {for _,k:=range []int{i,j}{ p:=pp[k]; t.Logf("  %d: %dx%d",k,p.Width,p.Height); for y:=range p.Height{ s:="    "; for x:=range p.Width{ s+=fmt.Sprint(p.Control[y*p.Width+x].Position)+" "}; t.Log(s)}}}
   }
  }}}
}
