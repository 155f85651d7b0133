// The numbers of bsp2gltf/Baked, in one order for all passes, as URP's batcher wants it.
float4 _BaseColor;
float4 _BaseMap_ST;
float4 _EmissionLight;
float4 _Curve;
float4 _EmissionScale;
float _BakedIntensity;
float _Strength;
float _VertexColor;
float _VertexLight;
float _Cutoff;
float _Tilted;
float _Sky;
